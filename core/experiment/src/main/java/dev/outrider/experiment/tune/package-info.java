/// Finds out what to run for a target on given prompts: candidates, short comparisons that leave fewer of them, and advice.
@NullMarked
package dev.outrider.experiment.tune;

import org.jspecify.annotations.NullMarked;
