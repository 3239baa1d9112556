package dev.outrider.experiment.run;

import dev.outrider.common.Ticker;
import dev.outrider.config.Component;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.engine.assembly.Pairing;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Puts the variants of a comparison together: plain decoding once for each sampling policy, and every variant behind its own.
final class VariantList {
    private final LoadedModels models;
    private final ProcessorChain processors;
    private final OnFailure onFailure;
    private final Ticker ticker;
    private final boolean checked;
    private final List<Variant> variants = new ArrayList<>();

    /// @param processors what is done to the target's logits on every variant
    /// @param onFailure what becomes of a request whose drafter or rule fails
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

    /// Add a variant, and load its drafter if it is new.
    void add(CheckedVariant variant) {
        Pairing pairing = variant.pairing();
        var beams = variant.config().decoding();
        String baseline = beams.map(this::plain).orElseGet(() -> plain(pairing.policy()));
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
                        processors,
                        variant.config().overlap().overlap());
        decoder.requireOverlap(pairing.policy());
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

    /// Name of the plain decoding under a policy, which is added if it is new.
    String plain(SamplingPolicy policy) {
        return plain(Pairing.plain(policy), Optional.empty());
    }

    /// Name of the plain search of some settings, which is added if it is new.
    private String plain(BeamSettings beams) {
        return plain(Pairing.beams(), Optional.of(beams));
    }

    private String plain(Pairing pairing, Optional<BeamSettings> beams) {
        for (Variant variant : variants) {
            if (variant.plain()
                    && variant.policy().equals(pairing.policy())
                    && variant.beams().equals(beams)) {
                return variant.name();
            }
        }
        String name = plainName(beams);
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

    /// No variant is called `plain`, and a number follows where there are several.
    private String plainName(Optional<BeamSettings> beams) {
        String kind = beams.map(each -> "plain, beams " + each.beams()).orElse("plain");
        var taken = variants.stream().map(Variant::name).collect(Collectors.toSet());
        String name = kind;
        for (int number = 2; taken.contains(name); number++) {
            name = "%s-%d".formatted(kind, number);
        }
        return name;
    }

    /// A plan that starts the policies a configuration names.
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
