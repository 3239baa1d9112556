/// Whether a drafter's guesses are for the places they are proposed at (docs/guide/block-drafters.md).
@NullMarked
package dev.outrider.experiment.offset;

import org.jspecify.annotations.NullMarked;
