package dev.outrider.experiment.run;

import dev.outrider.engine.assembly.Pairing;
import dev.outrider.engine.check.LossyPairings;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import java.util.Optional;

/// A variant whose combination is known to work, and to be exact as far as the experiment asks for that. Nothing is loaded yet.
///
/// @param config  its part of the configuration
/// @param pairing what decides, and what is promised
record CheckedVariant(VariantConfig config, Pairing pairing) {
    /// Check a variant.
    ///
    /// @throws dev.outrider.spi.error.OutriderException LOSSY_NOT_ALLOWED, CAPABILITY_MISSING,
    ///                                                CONFIG_INVALID or UNKNOWN_COMPONENT
    static CheckedVariant of(VariantConfig variant, ExperimentConfig config) {
        if (variant.decoding().isPresent()) {
            BeamVariants.check(variant, variant.decoding().get(), config);
            return new CheckedVariant(variant, Pairing.beams());
        }
        if (variant.overlap().overlap().ahead() && config.batch() > 1) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "'overlap' is on, but batch is %d: drafting for the others is what a drafter does meanwhile"
                            .formatted(config.batch()),
                    "Leave out 'overlap', or set batch to 1.");
        }
        Optional<AcceptanceRule> rule =
                variant.rule().map(chosen -> Factories.rule(chosen.factory(), chosen.config()));
        return new CheckedVariant(
                variant,
                Pairing.of(
                        Factories.traits(variant.drafter()),
                        rule,
                        variant.sampling().orElse(config.sampling()),
                        LossyPairings.inFile(config.allowLossy())));
    }
}
