/// Statistics of a comparison: acceptance, stage times, paired speedups with intervals, predictions.
@NullMarked
package dev.outrider.experiment.stats;

import org.jspecify.annotations.NullMarked;
