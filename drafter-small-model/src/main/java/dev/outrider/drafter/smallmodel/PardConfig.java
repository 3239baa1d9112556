package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.SmallModelConfig.VocabularyMode;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `pard`.
@Doc(
        "PARD: a second, smaller checkpoint guesses several tokens in one pass, each independently of the others, by answering mask tokens.")
public record PardConfig(
        @Doc("Folder of the draft checkpoint: config.json, safetensors, tokenizer.json.") Path path,
        @Doc(
                        "Number format of its matrices: f32, bf16, f16, int8, int4 or w8a8; with 'backend: vector' as the checkpoint has"
                                + " them when it is not given.")
                Optional<Precision> precision,
        @Inline BackendKey engine,
        @Inline Drafting drafting,
        @Doc("Token in the place of each guess, instead of the checkpoint's pard_token.")
                Optional<Integer> maskToken) {
    public PardConfig {
        engine.backend().require(precision);
        LayoutKeys.requireToken(maskToken);
    }

    /// Returns the configuration that loads the checkpoint.
    SmallModelConfig checkpoint() {
        return new SmallModelConfig(path, precision, engine, drafting, VocabularyMode.SAME);
    }
}
