package dev.outrider.experiment.run;

import dev.outrider.engine.beam.BeamLimits;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// Refuses settings that make no sense beside a beam search.
final class BeamVariants {
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
