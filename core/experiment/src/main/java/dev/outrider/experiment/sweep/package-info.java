/// Matrices of experiments: plans, resumable runs, merged results.
@NullMarked
package dev.outrider.experiment.sweep;

import org.jspecify.annotations.NullMarked;
