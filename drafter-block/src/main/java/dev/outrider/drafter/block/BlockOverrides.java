package dev.outrider.drafter.block;

import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.spi.config.Doc;
import java.util.List;
import java.util.Optional;

/// Settings that a checkpoint leaves out, or has wrong.
public record BlockOverrides(
        @Doc(
                        "The captured states as numbers of layers the residual stream has passed: 0 is the embedding. Read from the checkpoint,"
                                + " whose ids dialects count differently, when it is not given.")
                Optional<List<Integer>> capturedLayers,
        @Doc(
                        "Whether the slot of the last token guesses too, so that slot k guesses the token k + 1 places after it, in place of the"
                                + " checkpoint's sample_from_anchor. The wrong setting shifts every guess by one.")
                Optional<Boolean> sampleFromAnchor,
        @Doc("Token that stands for what is to be guessed, in place of the checkpoint's.")
                Optional<Integer> maskToken) {
    /// Nothing is overridden.
    static final BlockOverrides NONE =
            new BlockOverrides(Optional.empty(), Optional.empty(), Optional.empty());

    public BlockOverrides {
        capturedLayers = capturedLayers.map(layers -> LayoutKeys.captured(layers, 0));
        LayoutKeys.requireToken(maskToken);
    }
}
