package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.StopRule;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.spi.Default;
import dev.outrider.spi.Doc;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.SelectionKind;
import dev.outrider.spi.TreePlan;
import dev.outrider.spi.TreeShape;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `small-model`. The number of threads is the process', set by the target.
@Doc("Drafts with a second, smaller checkpoint.")
public record SmallModelConfig(
        @Doc("Folder of the draft checkpoint: config.json, safetensors, tokenizer.json.") Path path,
        @Doc("Number format of its weights and cache: f32 or bf16; f32 with 'backend: tornado'.")
                @Default("f32")
                ElementType precision,
        @Doc("What runs it: djl (the processor), or tornado (device 0 through TornadoVM).")
                @Default("djl")
                Backend backend,
        @Doc(
                        "Tokens drafted a round as a chain, at least 1; 4 when neither 'length' nor 'tree' is given.")
                Optional<Integer> length,
        @Doc("Shape of the drafts, in place of 'length'.") Optional<TreePlan> tree,
        @Doc("How the drafter samples; the target's own sampling when it is not given.")
                Optional<DraftSampling> sampling,
        @Doc(
                        "Stop guessing below a token that was less probable than this, 0 (off) to 1; the token itself"
                                + " stays, so the output is not affected.")
                @Default("0")
                double confidenceThreshold,
        @Doc(
                        "Stop guessing where the drafter's law has too much entropy; off when it is not given.")
                Optional<EntropyStop> entropyStop,
        @Doc(
                        "Whether it has the target's tokenizer (same), or another: then it guesses tokens whose text both have"
                                + " (shared), or text that the target's tokenizer cuts (text).")
                @Default("same")
                VocabularyMode vocabulary) {
    private static final int DEFAULT_LENGTH = 4;

    /// What runs the draft model.
    public enum Backend {
        /// This process' tensor engine.
        DJL,

        /// A device through TornadoVM.
        TORNADO
    }

    public SmallModelConfig {
        if (backend == Backend.TORNADO && precision != ElementType.F32) {
            throw new IllegalArgumentException(
                    "'precision' is bf16, which 'backend: tornado' does not have; expected f32");
        }
        if (length.isPresent() && tree.isPresent()) {
            throw new IllegalArgumentException(
                    "'length' (%d) and 'tree' exclude each other".formatted(length.get()));
        }
        if (length.isPresent() && length.get() < 1) {
            throw new IllegalArgumentException("'length' must be at least 1, got " + length.get());
        }
        if (!(confidenceThreshold >= 0 && confidenceThreshold <= 1)) {
            throw new IllegalArgumentException(
                    "'confidenceThreshold' must be in [0, 1], got " + confidenceThreshold);
        }
        if (vocabulary == VocabularyMode.TEXT
                && (tree.isPresent()
                        || sampling.isPresent()
                        || confidenceThreshold > 0
                        || entropyStop.isPresent())) {
            throw new IllegalArgumentException(
                    "'vocabulary: text' drafts chains of the most probable text; it takes 'length', and none of 'tree', 'sampling',"
                            + " 'confidenceThreshold' and 'entropyStop'");
        }
        if (confidenceThreshold > 0 && entropyStop.isPresent()) {
            throw new IllegalArgumentException(
                    "'confidenceThreshold' (%s) and 'entropyStop' exclude each other"
                            .formatted(confidenceThreshold));
        }
    }

    /// The drafter's own sampling.
    ///
    /// @see SamplingPolicy
    public record DraftSampling(
            @Doc("0 drafts the most probable tokens of a chain.") @Default("1") double temperature,
            @Doc("Keep the k most probable tokens; 0 keeps all.") @Default("0") int topK,
            @Doc("Keep the most probable tokens up to this mass; 1 keeps all.") @Default("1")
                    double topP,
            @Doc("Keep tokens at least this fraction as probable as the best; 0 keeps all.")
                    @Default("0")
                    double minP,
            @Doc("Penalty for tokens seen before; 1 is off.") @Default("1")
                    double repetitionPenalty) {
        public DraftSampling {
            new SamplingPolicy(temperature, topK, topP, minP, repetitionPenalty);
        }

        SamplingPolicy policy() {
            return new SamplingPolicy(temperature, topK, topP, minP, repetitionPenalty);
        }
    }

    /// Stop where `1 - sqrt(coefficient * entropy) < threshold`.
    ///
    /// @see "Agrawal et al. 2024 (AdaEDL)"
    public record EntropyStop(
            @Doc("Weight of the entropy in nats; positive.") @Default("0.2") double coefficient,
            @Doc("Lower bound of the acceptance rate at which drafting stops; less than 1.")
                    @Default("0.4")
                    double threshold) {
        public EntropyStop {
            new StopRule.HighEntropy(coefficient, threshold);
        }
    }

    TreePlan plan() {
        return tree.orElseGet(() -> new TreePlan.Chain(length.orElse(DEFAULT_LENGTH)));
    }

    SamplingPolicy policy(SamplingPolicy ofTarget) {
        return sampling.map(DraftSampling::policy).orElse(ofTarget);
    }

    StopRule stopRule() {
        if (entropyStop.isPresent()) {
            var stop = entropyStop.get();
            return new StopRule.HighEntropy(stop.coefficient(), stop.threshold());
        }
        return confidenceThreshold > 0
                ? new StopRule.LowConfidence(confidenceThreshold)
                : new StopRule.Never();
    }

    DrafterTraits traits() {
        var plan = plan();
        if (vocabulary == VocabularyMode.TEXT) {
            int most = plan.maxDepth();
            return new DrafterTraits(
                    TreeShape.CHAIN, SelectionKind.POINT_MASS, false, false, most, most);
        }
        boolean greedy = sampling.isPresent() && sampling.get().policy().greedy();
        return new DrafterTraits(
                plan instanceof TreePlan.Chain ? TreeShape.CHAIN : TreeShape.TREE,
                plan.selection(greedy),
                false,
                false,
                plan.maxNodes(),
                plan.maxDepth());
    }
}
