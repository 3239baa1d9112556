package dev.outrider.drafter.eagle;

import dev.outrider.common.Require;
import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.Divergence;
import dev.outrider.training.TrainingTimeTest.DepthPlan;
import java.util.List;

/// The P-EAGLE head to train, and its loss.
public record PEaglePlan(
        @Doc("Layers, the first of which reads embedding and feature.") @Default("2") int layers,
        @Doc("Width of their feed-forward layers; 0 for the target's.") @Default("0")
                int intermediateSize,
        @Doc(
                        "The captured states as numbers of layers the target's residual stream has passed; 0 is the embedding.")
                List<Integer> capturedLayers,
        @Inline DepthPlan depths,
        @Doc("How the head's distribution is compared with the target's.") @Default("forward-kl")
                Divergence divergence) {
    public PEaglePlan {
        capturedLayers = LayoutKeys.captured(capturedLayers, 0);
        Require.that(
                layers >= 1 && intermediateSize >= 0,
                "'layers' (%d) must be at least 1, 'intermediateSize' (%d) at least 0",
                layers,
                intermediateSize);
    }
}
