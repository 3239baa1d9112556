/// Several drafters that guess in the same round: their guesses share one tree.
@NullMarked
package dev.outrider.drafter.union;

import org.jspecify.annotations.NullMarked;
