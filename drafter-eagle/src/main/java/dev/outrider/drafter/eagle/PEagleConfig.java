package dev.outrider.drafter.eagle;

import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.util.List;
import java.util.Optional;

/// Configuration of the drafter `p-eagle`.
@Doc(
        "P-EAGLE: EAGLE-3's layer guesses several tokens in one pass, each independently of the others.")
public record PEagleConfig(@Inline HeadKeys head, @Inline Overrides overrides) {
    /// Settings in place of those that the checkpoint gives.
    public record Overrides(
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
        public static final Overrides NONE =
                new Overrides(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        public Overrides {
            var checked =
                    new LayoutOverrides(
                            capturedLayers, ropeTheta, normBeforeResidual, Optional.empty());
            capturedLayers = checked.capturedLayers();
            LayoutKeys.requireToken(maskToken);
        }

        /// What EAGLE-3's layer has of it. Nothing is passed on from guess to guess.
        LayoutOverrides ofLayer() {
            return new LayoutOverrides(
                    capturedLayers, ropeTheta, normBeforeResidual, Optional.of(false));
        }
    }
}
