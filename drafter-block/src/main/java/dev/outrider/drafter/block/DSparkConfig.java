package dev.outrider.drafter.block;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `dspark`.
@Doc(
        "DSpark: DFlash's block, of which every guess also depends on the one before it (Markov head); a confidence head can end a draft.")
public record DSparkConfig(
        @Doc("Folder of the head: config.json and model.safetensors.") Path path,
        @Inline Drafting drafting,
        @Doc(
                        "Stop guessing where the confidence head expects a guess to be accepted with less than this probability, 0 (off) to 1; it"
                                + " sees the tokens before the guess and not the guess, so the output is not affected.")
                @Default("0")
                double acceptanceThreshold,
        @Doc(
                        "Number format of its weights: f32, bf16, f16, int8, int4 or w8a8; a target of 'vector' lends its own when it is not"
                                + " given, otherwise f32.")
                Optional<Precision> precision,
        @Inline BlockOverrides overrides) {
    public DSparkConfig {
        if (!(acceptanceThreshold >= 0 && acceptanceThreshold <= 1)) {
            throw new IllegalArgumentException(
                    "'acceptanceThreshold' must be in [0, 1], got " + acceptanceThreshold);
        }
    }
}
