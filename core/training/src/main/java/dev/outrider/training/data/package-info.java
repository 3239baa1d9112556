/// What is trained on: files named by a configuration, read in blocks and in a seeded order, without ever being held whole.
///
/// [TrainingData] is the way in. The files are untrusted: every length is bounded before anything is allocated for it.
@NullMarked
package dev.outrider.training.data;

import org.jspecify.annotations.NullMarked;
