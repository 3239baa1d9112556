/// The multi-token prediction drafter: modules trained with the target read its last hidden state and the newest token, and predict
/// the next ones.
///
/// @see "DeepSeek-AI 2024 (DeepSeek-V3), section 2.2; Gloeckle et al. 2024"
@NullMarked
package dev.outrider.drafter.mtp;

import org.jspecify.annotations.NullMarked;
