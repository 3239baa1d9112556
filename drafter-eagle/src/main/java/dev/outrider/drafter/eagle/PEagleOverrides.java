package dev.outrider.drafter.eagle;

import dev.outrider.spi.config.Doc;
import java.util.List;
import java.util.Optional;

/// What a checkpoint of P-EAGLE leaves open, or says wrongly.
public record PEagleOverrides(
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
                Optional<Boolean> normBeforeResidual,
        @Doc("Token that stands for what is to be guessed, in place of the checkpoint's.")
                Optional<Integer> maskToken) {
    /// The checkpoint says all.
    static final PEagleOverrides NONE =
            new PEagleOverrides(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public PEagleOverrides {
        var checked =
                new LayoutOverrides(
                        capturedLayers, ropeTheta, normBeforeResidual, Optional.empty());
        capturedLayers = checked.capturedLayers();
        if (maskToken.isPresent() && maskToken.get() < 0) {
            throw new IllegalArgumentException(
                    "'maskToken' must be a token, got " + maskToken.get());
        }
    }

    /// What EAGLE-3's layer has of it. Nothing is passed on from guess to guess.
    LayoutOverrides ofLayer() {
        return new LayoutOverrides(
                capturedLayers, ropeTheta, normBeforeResidual, Optional.of(false));
    }
}
