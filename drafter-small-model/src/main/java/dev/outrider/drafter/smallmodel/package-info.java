/// The small-model drafter: a second, smaller checkpoint with the target's tokenizer guesses the target's next tokens, one by one
/// (`small-model`) or from masks in one pass (`pard`).
///
/// @see "Leviathan et al. 2023; Chen et al. 2023: speculative sampling with a draft model; An et al. 2025 (PARD)"
@NullMarked
package dev.outrider.drafter.smallmodel;

import org.jspecify.annotations.NullMarked;
