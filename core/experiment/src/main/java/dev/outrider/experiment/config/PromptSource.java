package dev.outrider.experiment.config;

import dev.outrider.spi.Default;
import dev.outrider.spi.Doc;
import java.nio.file.Path;
import java.util.List;

/// Where prompts come from.
public sealed interface PromptSource {
    /// Prompts written in the configuration itself.
    @Doc("Prompts written here.")
    record Texts(@Doc("One prompt each.") List<String> texts) implements PromptSource {
        public Texts {
            texts = List.copyOf(texts);
        }
    }

    /// Prompts of a file: JSON Lines with `prompt` and perhaps `id` and `kind`, or plain text with a prompt a line.
    @Doc(
            "Prompts of a file: .jsonl with 'prompt' and perhaps 'id' and 'kind', or text with one prompt a line.")
    record FromFile(
            @Doc("The file.") Path file,
            @Default("[]") @Doc("Only prompts of these kinds; empty takes all.") List<String> kinds,
            @Default("0") @Doc("Most prompts, taken from each kind in turn; 0 takes all.")
                    int limit)
            implements PromptSource {
        public FromFile {
            kinds = List.copyOf(kinds);
            if (limit < 0) {
                throw new IllegalArgumentException(
                        "limit %d must be 0 (all) or more".formatted(limit));
            }
        }
    }
}
