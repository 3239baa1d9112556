/// Training data: files named by a configuration, read in blocks and in a seeded order. No file is held in memory as a whole.
///
/// Start at [TrainingData]. The files are untrusted: every length is bounded before anything is allocated for it.
@NullMarked
package dev.outrider.training.data;

import org.jspecify.annotations.NullMarked;
