/// Tests: samples of rounds.
@NullMarked
package dev.outrider.experiment.sample;

import org.jspecify.annotations.NullMarked;
