package dev.outrider.nn.target;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the target `djl`.
@Doc("A decoder checkpoint in the Hugging Face layout, run on the processor.")
public record DjlTargetConfig(
        @Doc("Folder of the checkpoint: config.json, safetensors, tokenizer.json.") Path path,
        @Doc(
                        "Number format of weights and cache: f32 or bf16. bf16 halves the memory read per pass.")
                @Default("f32")
                ElementType precision,
        @Doc(
                        "Threads of one operation in this process, at least 1; the engine's choice when it is not given.")
                Optional<Integer> threads,
        @Doc("Longest sequence, at least 1; the checkpoint's own limit when it is not given.")
                Optional<Integer> maxPositions,
        @Doc("How reports call the target; the folder's name when it is not given.")
                Optional<String> name) {
    public DjlTargetConfig {
        threads.ifPresent(count -> requirePositive("threads", count));
        maxPositions.ifPresent(count -> requirePositive("maxPositions", count));
    }

    static void requirePositive(String key, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "'%s' must be at least 1, got %d".formatted(key, value));
        }
    }
}
