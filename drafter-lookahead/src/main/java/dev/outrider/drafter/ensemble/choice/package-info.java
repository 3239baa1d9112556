/// Several drafters of which each round asks one, or none: whichever gives the most tokens for its time.
@NullMarked
package dev.outrider.drafter.ensemble.choice;

import org.jspecify.annotations.NullMarked;
