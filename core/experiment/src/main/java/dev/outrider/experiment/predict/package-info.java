/// Predicts tokens per round of every variant along the target's own texts and compares the prediction with the measurement.
@NullMarked
package dev.outrider.experiment.predict;

import org.jspecify.annotations.NullMarked;
