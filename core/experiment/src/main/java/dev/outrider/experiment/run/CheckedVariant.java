package dev.outrider.experiment.run;

import dev.outrider.engine.assembly.Pairing;
import dev.outrider.engine.beam.BeamLimits;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.length.FixedLength;
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

    /// Refuses settings that make no sense beside a beam search.
    static final class BeamVariants {
        private BeamVariants() {}

        /// @throws OutriderException CONFIG_INVALID, CAPABILITY_MISSING
        static void check(VariantConfig variant, BeamSettings beams, ExperimentConfig config) {
            variant.rule()
                    .ifPresent(rule -> {
                        throw refused(
                                "'rule' is '%s', but a beam search accepts no guess and rejects none: it goes on over the target's scores"
                                        .formatted(rule.use()),
                                "Leave out 'rule', or leave out 'decoding'.");
                    });
            BeamLimits.requireArgmax(variant.sampling().orElse(config.sampling()));
            BeamLimits.requireEnds(
                    beams, config.stop(), config.ignoreEndOfSequence(), config.maxTokens());
            if (config.batch() > 1) {
                throw refused(
                        "batch is %d, but a beam search fills its passes with the beams of one prompt"
                                .formatted(config.batch()),
                        "Set batch to 1, or leave out 'decoding'.");
            }
            if (variant.overlap().overlap().ahead()) {
                throw refused(
                        "'overlap' is on, but a beam search needs what it found to know what to draft for",
                        "Leave out 'overlap', or leave out 'decoding'.");
            }
            variant.draftLength()
                    .filter(chosen -> !(chosen.config() instanceof FixedLength))
                    .ifPresent(chosen -> {
                        throw refused(
                                "draftLength is '%s', which learns from rounds of one text, but a beam search follows several"
                                        .formatted(chosen.use()),
                                "Give 'draftLength' a number, or leave it out.");
                    });
            if (Factories.traits(variant.drafter()).learns()) {
                throw new OutriderException(
                        ErrorCode.CAPABILITY_MISSING,
                        "drafter '%s' learns from rounds of one text, but a beam search follows several"
                                .formatted(variant.drafter().use()),
                        "Leave 'learn' out of the drafter, or leave out 'decoding'.");
            }
            BeamLimits.requireTextAlone(
                    "drafter '%s'".formatted(variant.drafter().use()),
                    Factories.traits(variant.drafter()));
        }

        private static OutriderException refused(String problem, String remedy) {
            return new OutriderException(ErrorCode.CONFIG_INVALID, problem, remedy);
        }
    }
}
