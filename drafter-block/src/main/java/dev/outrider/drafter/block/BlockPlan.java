package dev.outrider.drafter.block;

import dev.outrider.common.Require;
import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.List;

/// The backbone to train, and its loss.
public record BlockPlan(
        @Doc("Layers of the backbone.") @Default("2") int layers,
        @Doc("Width of their feed-forward layers; 0 for the target's.") @Default("0")
                int intermediateSize,
        @Doc(
                        "The captured states as numbers of layers the target's residual stream has passed, at least 1 each.")
                List<Integer> capturedLayers,
        @Doc("Slots of a block, the last token's included.") @Default("8") int blockSize,
        @Doc("Token that stands for what is to be guessed, best one that texts hardly have.")
                int maskToken,
        @Doc("Blocks that are learned in a row of tokens, at places drawn at random.")
                @Default("16")
                int anchors,
        @Doc("Guess k counts exp(-k / gamma) times the first.") @Default("4") double gamma,
        @Doc("Weight of the cross-entropy with the target's distribution.") @Default("1")
                double crossEntropyWeight,
        @Doc(
                        "Weight of the total variation between the distributions: one minus the probability of acceptance.")
                @Default("0")
                double totalVariationWeight) {
    private static final int MAX_SLOTS = 64;

    public BlockPlan {
        capturedLayers = LayoutKeys.captured(capturedLayers, 1);
        Require.atLeast("'layers'", layers, 1);
        Require.atLeast("'anchors'", anchors, 1);
        Require.atLeast("'intermediateSize'", intermediateSize, 0);
        Require.atLeast("'maskToken'", maskToken, 0);
        Require.between("blockSize", blockSize, 2, MAX_SLOTS);
        Require.positive("'gamma'", gamma);
        Require.that(
                crossEntropyWeight >= 0
                        && totalVariationWeight >= 0
                        && crossEntropyWeight + totalVariationWeight > 0,
                "'crossEntropyWeight' (%s) and 'totalVariationWeight' (%s) must be at least 0, not both 0",
                crossEntropyWeight,
                totalVariationWeight);
    }
}
