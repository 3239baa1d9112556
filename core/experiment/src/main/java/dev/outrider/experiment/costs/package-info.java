/// The results of a finished comparison at other costs: those of another shape, another machine, or typed in
/// (docs/decisions/0072).
@NullMarked
package dev.outrider.experiment.costs;

import org.jspecify.annotations.NullMarked;
