/// Several drafters that guess in the same round: their guesses share one tree.
@NullMarked
package dev.outrider.drafter.ensemble.union;

import org.jspecify.annotations.NullMarked;
