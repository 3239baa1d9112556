/// Passes in Java's vector code: matrices as panels ([dev.outrider.nn.vector.Panels]), tiles of rows, attention, and a team of
/// threads. Start at [dev.outrider.nn.vector.VectorPasses], the pass as in papers; [dev.outrider.nn.vector.FormatTiles] is
/// the code that uses most of the time.
///
/// The terms of a sum are always added in the same order, with one fused multiply-add for each, and never over the lanes of a
/// vector. Therefore a row's numbers do not depend on the other rows of the pass (docs/decisions/0051).
@NullMarked
package dev.outrider.nn.vector;

import org.jspecify.annotations.NullMarked;
