package dev.outrider.drafter.eagle;

import java.util.Optional;

/// What a P-EAGLE head reads at a position that does not exist yet.
///
/// @param token  stands for the token
/// @param hidden stands for the captured states of the position before, end to end
/// @see "Hui et al. 2026 (P-EAGLE), section 3"
@SuppressWarnings("ArrayRecordComponent")
record MaskRow(int token, float[] hidden) {
    /// Name of the tensor.
    static final String TENSOR = "mask_hidden";

    /// No mask, which other heads have.
    static final Optional<MaskRow> NONE = Optional.empty();
}
