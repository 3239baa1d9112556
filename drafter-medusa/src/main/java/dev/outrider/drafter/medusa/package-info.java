/// The Medusa drafter: heads that read the target's last hidden state and each guess one of the tokens that follow.
///
/// @see "Cai et al. 2024 (Medusa)"
@NullMarked
package dev.outrider.drafter.medusa;

import org.jspecify.annotations.NullMarked;
