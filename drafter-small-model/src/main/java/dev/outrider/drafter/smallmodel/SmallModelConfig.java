package dev.outrider.drafter.smallmodel;

import dev.outrider.common.Require;
import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.training.Divergence;
import dev.outrider.training.RoundTraining;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Configuration of the drafter `small-model`. The number of threads is the process', set by the target.
@Doc(
        "Drafts with a second, smaller checkpoint. For an encoder-decoder that is another encoder-decoder, which reads the source with an"
                + " encoder of its own, or a decoder alone, which drafts from the decoder's text without looking at the source.")
public record SmallModelConfig(
        @Doc("Folder of the draft checkpoint: config.json, safetensors, tokenizer.json.") Path path,
        @Doc(
                        "Number format of its matrices: f32, bf16, f16, int8, int4 or w8a8 with 'backend: vector', as the checkpoint has"
                                + " them when it is not given; f32 with tornado.")
                Optional<Precision> precision,
        @Doc(
                        "What runs it: vector (the processor, Java's vector code), or tornado (device 0 through TornadoVM).")
                @Default("vector")
                Backend backend,
        @Inline Drafting drafting,
        @Doc(
                        "Whether it has the target's tokenizer (same), or another: then it guesses tokens whose text both have"
                                + " (shared), or text that the target's tokenizer cuts (text).")
                @Default("same")
                VocabularyMode vocabulary,
        @Doc(
                        "Whose encoder reads the source for an encoder-decoder: own, or target, whose states its decoder then attends to;"
                                + " for drafts that were trained on the target's states and have its width, with 'backend: vector'.")
                @Default("own")
                StatesOf encoder,
        @Doc(
                        "Learns from the rounds of 'bench' while it runs, between sequences; every variant and repetition begins with the"
                                + " checkpoint. '{}' takes the defaults. Left out: the draft stays as it is.")
                Optional<LearnConfig> learn) {
    /// The model whose encoder reads the source.
    public enum StatesOf {
        /// The draft checkpoint's.
        OWN,

        /// The target's.
        TARGET
    }

    /// The back end of the draft model.
    public enum Backend {
        /// Java's vector code.
        VECTOR,

        /// A device through TornadoVM.
        TORNADO
    }

    public SmallModelConfig {
        requirePrecision(backend, precision);
        if (learn.isPresent()) {
            requireLearner(vocabulary, backend, encoder);
        }
        Require.that(
                encoder != StatesOf.TARGET || vocabulary == VocabularyMode.SAME,
                "'encoder: target' needs 'vocabulary: same': the target's encoder reads the target's tokens");
        Require.that(
                vocabulary != VocabularyMode.TEXT
                        || !drafting.tree().isPresent() && !drafting.sampling().isPresent(),
                "'vocabulary: text' drafts chains of the most probable text; it takes 'length', and neither 'tree' nor 'sampling'");
    }

    /// A configuration of a draft that stays as it is.
    public SmallModelConfig(
            Path path,
            Optional<Precision> precision,
            Backend backend,
            Drafting drafting,
            VocabularyMode vocabulary,
            StatesOf encoder) {
        this(path, precision, backend, drafting, vocabulary, encoder, Optional.empty());
    }

    /// The same of a checkpoint in another folder, which stays as it is.
    SmallModelConfig at(Path folder) {
        return new SmallModelConfig(folder, precision, backend, drafting, vocabulary, encoder);
    }

    private static void requireLearner(
            VocabularyMode vocabulary, Backend backend, StatesOf encoder) {
        Require.that(
                vocabulary == VocabularyMode.SAME,
                "'learn' needs 'vocabulary: same': the target's logits are of its own tokens");
        Require.that(
                backend != Backend.TORNADO,
                "'learn' needs 'backend: vector': a device's program holds its weights");
        Require.that(
                encoder != StatesOf.TARGET,
                "'learn' is for drafts that are decoders alone, without 'encoder: target'");
    }

    private static void requirePrecision(Backend backend, Optional<Precision> precision) {
        var had =
                switch (backend) {
                    case VECTOR -> EnumSet.allOf(Precision.class);
                    case TORNADO -> EnumSet.of(Precision.F32);
                };
        if (precision.isPresent() && !had.contains(precision.get())) {
            throw new IllegalArgumentException(
                    "'precision' is %s, which 'backend: %s' does not have; expected %s"
                            .formatted(lower(precision.get()), lower(backend), options(had)));
        }
    }

    private static String options(Set<Precision> precisions) {
        return precisions.stream().map(SmallModelConfig::lower).collect(Collectors.joining(" or "));
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    DrafterTraits traits() {
        var drafts =
                vocabulary == VocabularyMode.TEXT
                        ? drafting.sampledBy(SamplingPolicy.argmax())
                        : drafting;
        var traits = drafts.traits(false);
        return learn.isPresent() ? traits.learning().readingRejectedNodes() : traits;
    }

    /// The way in which tokens of the draft model become tokens of the target.
    public enum VocabularyMode {
        /// Both have the same tokenizer.
        SAME,
        /// Guesses are the tokens whose text both vocabularies have.
        SHARED,
        /// Guesses are text, which the target's tokenizer cuts into tokens.
        TEXT
    }

    /// Settings of a draft model that learns from the rounds that it drafts for.
    ///
    /// @param rate       learning rate, the same at every step
    /// @param every      sequences that are waited for
    /// @param steps      steps on them
    /// @param tokens     nodes of a sequence that are read, rejected guesses and the prompt included
    /// @param divergence how far the draft is from the target
    @Doc(
            "How a draft model learns from the rounds that it drafts for: it is shown the target's distribution wherever it drew a guess,"
                    + " rejected ones included. Memory: four bytes for each of these places and token of the vocabulary.")
    record LearnConfig(
            @Doc("Learning rate of AdamW, the same at every step.") @Default("0.0005") double rate,
            @Doc("Sequences after which it learns.") @Default("1") int every,
            @Doc("Steps that it then takes on them.") @Default("1") int steps,
            @Doc(
                            "Most nodes of a sequence that it learns from, prompt and rejected guesses included; what comes later is not learned.")
                    @Default("512")
                    int tokens,
            @Doc("How the draft's distribution is compared with the target's.")
                    @Default("forward-kl")
                    Divergence divergence) {
        LearnConfig {
            settings(rate, divergence);
            Require.that(
                    every >= 1 && steps >= 1 && tokens >= 2,
                    "every is %d, steps %d and tokens %d; expected at least 1, 1 and 2",
                    every,
                    steps,
                    tokens);
        }

        RoundTraining.Settings settings() {
            return settings(rate, divergence);
        }

        private static RoundTraining.Settings settings(double rate, Divergence divergence) {
            return new RoundTraining.Settings(rate, divergence);
        }
    }
}
