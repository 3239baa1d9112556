/// The small-model drafter: a second, smaller checkpoint with the target's tokenizer guesses what the target
/// will say.
///
/// @see "Leviathan et al. 2023; Chen et al. 2023: speculative sampling with a draft model"
@NullMarked
package dev.outrider.drafter.smallmodel;

import org.jspecify.annotations.NullMarked;
