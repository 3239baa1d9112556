/// Heads that all read one hidden state of the target and each guess a token further ahead: how they run, and how they
/// learn on a frozen target.
///
/// @see "Cai et al. 2024 (Medusa)"
@NullMarked
package dev.outrider.nn.heads;

import org.jspecify.annotations.NullMarked;
