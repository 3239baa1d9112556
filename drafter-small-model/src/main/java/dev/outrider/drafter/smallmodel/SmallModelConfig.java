package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.nio.file.Path;

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
        @Inline Drafting drafting,
        @Doc(
                        "Whether it has the target's tokenizer (same), or another: then it guesses tokens whose text both have"
                                + " (shared), or text that the target's tokenizer cuts (text).")
                @Default("same")
                VocabularyMode vocabulary) {
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
        if (vocabulary == VocabularyMode.TEXT
                && (drafting.tree().isPresent() || drafting.sampling().isPresent())) {
            throw new IllegalArgumentException(
                    "'vocabulary: text' drafts chains of the most probable text; it takes 'length', and neither 'tree' nor"
                            + " 'sampling'");
        }
    }

    DrafterTraits traits() {
        var drafts =
                vocabulary == VocabularyMode.TEXT
                        ? drafting.sampledBy(SamplingPolicy.argmax())
                        : drafting;
        return drafts.traits(false);
    }
}
