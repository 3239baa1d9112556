/// Passes in Java's vector code: matrices as panels ([dev.outrider.nn.vector.Panels]), tiles of rows, attention, and a team of
/// threads. Start at [dev.outrider.nn.vector.VectorPasses], the pass as in papers; [dev.outrider.nn.vector.FormatTiles] is
/// the code that uses most of the time.
///
/// A sum always runs over its terms in the same order, one fused multiply-add each, and never crosses the lanes of a vector.
/// Therefore a row's numbers do not depend on the other rows of the pass (docs/decisions/0051).
@NullMarked
package dev.outrider.nn.vector;

import org.jspecify.annotations.NullMarked;
