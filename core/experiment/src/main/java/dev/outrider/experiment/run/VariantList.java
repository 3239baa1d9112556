package dev.outrider.experiment.run;

import dev.outrider.common.Ticker;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.config.Component;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.engine.assembly.Pairing;
import dev.outrider.engine.beam.BeamLimits;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Makes the variants of a comparison: plain decoding once for each sampling policy, and each variant after its plain decoding.
final class VariantList {
    private final LoadedModels models;
    private final ProcessorChain processors;
    private final OnFailure onFailure;
    private final Ticker ticker;
    private final boolean checked;
    private final List<Variant> variants = new ArrayList<>();

    /// @param processors applied to the target's logits in every variant
    /// @param onFailure the consequence for a request whose drafter or rule fails
    /// @param ticker  clock of stage times
    /// @param checked whether every draft and verdict is checked against its contract
    VariantList(
            LoadedModels models,
            ProcessorChain processors,
            OnFailure onFailure,
            Ticker ticker,
            boolean checked) {
        this.models = models;
        this.processors = processors;
        this.onFailure = onFailure;
        this.ticker = ticker;
        this.checked = checked;
    }

    List<Variant> variants() {
        return List.copyOf(variants);
    }

    /// Adds a variant, and loads its drafter if it is new.
    void add(Checked variant) {
        Pairing pairing = variant.pairing();
        var beams = variant.config().decoding();
        String baseline =
                plain(beams.isPresent() ? pairing : Pairing.plain(pairing.policy()), beams);
        DrafterChoice chosen = variant.config().drafter();
        DraftLengthPlan lengths =
                variant.config()
                        .draftLength()
                        .<DraftLengthPlan>map(ChosenLengths::of)
                        .orElse(FixedLength.drafterLimit());
        var decoder =
                new Decoder(
                        models.target(),
                        Optional.of(models.drafter(chosen)),
                        pairing.rule(),
                        lengths,
                        checked,
                        ticker,
                        onFailure,
                        processors);
        variants.add(
                new Variant(
                        variant.config().name(),
                        baseline,
                        chosen.use(),
                        pairing.ruleName(),
                        pairing.policy(),
                        pairing.losslessness(),
                        decoder,
                        beams));
    }

    /// Returns the name of the plain decoding under a policy, and adds it if it is new.
    String plain(SamplingPolicy policy) {
        return plain(Pairing.plain(policy), Optional.empty());
    }

    /// Returns the name of plain decoding, or of the plain search with some settings, and adds it if it is new.
    private String plain(Pairing pairing, Optional<BeamSettings> beams) {
        for (Variant variant : variants) {
            if (variant.plain()
                    && variant.policy().equals(pairing.policy())
                    && variant.beams().equals(beams)) {
                return variant.name();
            }
        }
        String name = plainName(pairing.policy(), beams);
        variants.add(
                new Variant(
                        name,
                        name,
                        "none",
                        pairing.ruleName(),
                        pairing.policy(),
                        pairing.losslessness(),
                        Decoder.plain(models.target(), pairing.rule(), ticker)
                                .withProcessors(processors),
                        beams));
        return name;
    }

    /// No variant's name begins with `plain`. If there are several plain decodings, their settings follow, and a number if their
    /// settings are the same.
    private String plainName(SamplingPolicy policy, Optional<BeamSettings> beams) {
        var taken = variants.stream().map(Variant::name).collect(Collectors.toSet());
        String kind = beams.map(each -> "plain, beams " + each.beams()).orElse("plain");
        if (beams.isEmpty() && taken.contains(kind)) {
            kind = "plain, " + settings(policy);
        }
        String name = kind;
        for (int number = 2; taken.contains(name); number++) {
            name = "%s (%d)".formatted(kind, number);
        }
        return name;
    }

    /// Returns the temperature, and other settings that are not the default.
    static String settings(SamplingPolicy policy) {
        return Stream.of(
                        "T = " + number(policy.temperature()),
                        policy.topK() == 0 ? "" : "top-k " + policy.topK(),
                        policy.topP() == 1 ? "" : "top-p " + number(policy.topP()),
                        policy.minP() == 0 ? "" : "min-p " + number(policy.minP()),
                        policy.usesHistory() ? "penalty " + number(policy.repetitionPenalty()) : "")
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String number(double value) {
        return Double.toString(value).replaceFirst("\\.0$", "");
    }

    /// A variant whose combination was checked: it works, and it is exact unless the experiment allows lossy variants. Nothing is
    /// loaded yet.
    ///
    /// @param config  its part of the configuration
    /// @param pairing the rule, the policy and the promise
    record Checked(VariantConfig config, Pairing pairing) {
        /// Checks a variant.
        ///
        /// @throws OutriderException LOSSY_NOT_ALLOWED, CAPABILITY_MISSING, CONFIG_INVALID or UNKNOWN_COMPONENT
        static Checked of(VariantConfig variant, ExperimentConfig config) {
            var traits = Factories.traits(variant.drafter());
            if (variant.decoding().isPresent()) {
                requireSearchable(variant, variant.decoding().get(), traits, config);
                return new Checked(variant, Pairing.beams());
            }
            return new Checked(
                    variant,
                    Pairing.of(
                            traits,
                            variant.rule()
                                    .map(rule -> Factories.rule(rule.factory(), rule.config())),
                            variant.sampling().orElse(config.sampling()),
                            LossyPairings.inFile(config.protocol().allowLossy())));
        }

        /// Refuses settings that make no sense with a beam search.
        ///
        /// @throws OutriderException CONFIG_INVALID, CAPABILITY_MISSING
        private static void requireSearchable(
                VariantConfig variant,
                BeamSettings beams,
                DrafterTraits traits,
                ExperimentConfig config) {
            String drafter = "drafter '%s'".formatted(variant.drafter().use());
            variant.rule()
                    .ifPresent(rule ->
                            require(
                                    false,
                                    "'rule' is '%s', but a beam search accepts no guess and rejects none: it goes on over the target's scores"
                                            .formatted(rule.use()),
                                    "Leave out 'rule', or leave out 'decoding'."));
            String operators = config.operators().map(SamplingOperators::label).orElse("");
            require(
                    operators.isEmpty(),
                    "'operators' are '%s', but a beam search scores with the softmax of the logits"
                            .formatted(operators),
                    "Leave out 'operators', or leave out 'decoding'.");
            BeamLimits.requireArgmax(variant.sampling().orElse(config.sampling()));
            BeamLimits.requireEnds(
                    beams, config.stop(), config.ignoreEndOfSequence(), config.maxTokens());
            require(
                    config.batch() == 1,
                    "batch is %d, but a beam search fills its passes with the beams of one prompt"
                            .formatted(config.batch()),
                    "Set batch to 1, or leave out 'decoding'.");
            variant.draftLength()
                    .ifPresent(chosen ->
                            require(
                                    chosen.config() instanceof FixedLength,
                                    "draftLength is '%s', which learns from rounds of one text, but a beam search follows several"
                                            .formatted(chosen.use()),
                                    "Give 'draftLength' a number, or leave it out."));
            BeamLimits.requireTextAlone(drafter, traits);
        }

        private static void require(boolean sensible, String problem, String remedy) {
            if (!sensible) {
                throw ErrorCode.CONFIG_INVALID.error(problem, remedy);
            }
        }
    }

    /// A plan that starts the policies of a configuration.
    ///
    /// @param name      of the policies' factory
    /// @param sequences makes the policy of a sequence
    record ChosenLengths(String name, Supplier<DraftLengthPolicy> sequences)
            implements DraftLengthPlan {
        static ChosenLengths of(Component<DraftLengthPolicy.Factory<?>> chosen) {
            return new ChosenLengths(
                    chosen.use(), Factories.sequences(chosen.factory(), chosen.config()));
        }

        @Override
        public DraftLengthPolicy start() {
            return sequences.get();
        }
    }
}
