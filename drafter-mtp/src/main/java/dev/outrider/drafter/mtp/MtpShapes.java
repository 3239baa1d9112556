package dev.outrider.drafter.mtp;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;

/// Modules of a target's shape without a checkpoint, for timing.
final class MtpShapes {
    private MtpShapes() {}

    /// A module in DeepSeek-V3's order that borrows embedding and head.
    static FusionConfig fusion(DecoderConfig target) {
        return Layout.DEEPSEEK.fusion(
                target, ConcatOrder.EMBEDDING_FIRST, Layout.Storage.BORROWING);
    }
}
