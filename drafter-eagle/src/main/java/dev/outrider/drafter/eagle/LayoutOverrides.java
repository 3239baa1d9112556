package dev.outrider.drafter.eagle;

import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.util.List;
import java.util.Optional;

/// Settings that a checkpoint of EAGLE-3 leaves out, or has wrong.
public record LayoutOverrides(
        @Inline LayerOverrides layer,
        @Doc(
                        "Whether a guess reads the state of the guess before after its last norm"
                                + " (EAGLE-3.1), in place of the checkpoint's norm_output. Heads that"
                                + " SpecForge trained from May to September 2026 say true and want"
                                + " false.")
                Optional<Boolean> normOutput) {
    /// Nothing is overridden.
    static final LayoutOverrides NONE = new LayoutOverrides(LayerOverrides.NONE, Optional.empty());

    /// Settings of a layer that a checkpoint leaves out, or has wrong.
    public record LayerOverrides(
            @Doc(
                            "The captured states as numbers of layers the residual stream has passed: 0"
                                    + " is the embedding. Read from the checkpoint, whose ids dialects"
                                    + " count differently, when it is not given.")
                    Optional<List<Integer>> capturedLayers,
            @Doc(
                            "Base of the rotary frequencies, in place of the checkpoint's; heads"
                                    + " without one were trained with 10000, whatever the target has.")
                    Optional<Double> ropeTheta,
            @Doc(
                            "Whether the residual stream begins with the normed feature, in place of"
                                    + " the checkpoint's norm_before_residual.")
                    Optional<Boolean> normBeforeResidual) {
        /// Nothing is overridden.
        public static final LayerOverrides NONE =
                new LayerOverrides(Optional.empty(), Optional.empty(), Optional.empty());

        public LayerOverrides {
            capturedLayers = capturedLayers.map(layers -> LayoutKeys.captured(layers, 0));
            if (ropeTheta.isPresent() && !(ropeTheta.get() > 1)) {
                throw new IllegalArgumentException(
                        "'ropeTheta' must be above 1, got " + ropeTheta.get());
            }
        }
    }
}
