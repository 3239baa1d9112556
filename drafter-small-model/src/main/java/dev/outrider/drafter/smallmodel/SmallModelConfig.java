package dev.outrider.drafter.smallmodel;

import dev.outrider.common.Require;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `small-model`. The number of threads is the process', set by the target.
@Doc(
        "Drafts with a second, smaller checkpoint. For an encoder-decoder that is another encoder-decoder, which reads the source with an"
                + " encoder of its own, or a decoder alone, which drafts from the decoder's text without looking at the source.")
public record SmallModelConfig(
        @Doc("Folder of the draft checkpoint: config.json, safetensors, tokenizer.json.") Path path,
        @Doc(
                        "Number format of its matrices: f32, bf16, f16, int8, int4 or w8a8; with 'backend: vector' as the checkpoint has"
                                + " them when it is not given.")
                Optional<Precision> precision,
        @Inline BackendKey engine,
        @Inline Drafting drafting,
        @Doc(
                        "Whether it has the target's tokenizer (same), or another: then it guesses tokens whose text both have"
                                + " (shared), or text that the target's tokenizer cuts (text).")
                @Default("same")
                VocabularyMode vocabulary) {
    public SmallModelConfig {
        engine.backend().require(precision);
        Require.that(
                vocabulary != VocabularyMode.TEXT
                        || !drafting.tree().isPresent() && !drafting.sampling().isPresent(),
                "'vocabulary: text' drafts chains of the most probable text; it takes 'length', and neither 'tree' nor 'sampling'");
    }

    DrafterTraits traits() {
        var drafts =
                vocabulary == VocabularyMode.TEXT
                        ? drafting.sampledBy(SamplingPolicy.argmax())
                        : drafting;
        return drafts.traits(false);
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
}
