package dev.outrider.drafter.lookup.ngram;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What `outrider train ngram` reads.
public record NgramTraining(
        @Doc("The target's tokenizer.json.") Path tokenizer,
        @Doc("File for the table.") Path out,
        @Doc("UTF-8 texts to count, a document each; the made-up corpus when there are none.")
                @Default("[]")
                List<Path> text,
        @Doc(
                        "Whether to count the answers of the made-up corpus's pairs instead of its documents: what an encoder-decoder writes.")
                @Default("false")
                boolean pairs,
        @Doc("Which made-up corpus to count.") @Default("1") long seed,
        @Doc("How many of its documents, at least 1.") @Default("5000") int documents,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText) {
    public NgramTraining {
        text = List.copyOf(text);
        if (pairs && !text.isEmpty()) {
            throw new IllegalArgumentException(
                    "pairs is true, but text names files; expected one of both");
        }
        if (documents < 1) {
            throw new IllegalArgumentException(
                    "documents is %d, expected 1 or more".formatted(documents));
        }
    }

    /// Where the text is from, for the file that is made of it.
    Map<String, String> origin() {
        return text.isEmpty()
                ? Map.of(
                        "corpusSeed",
                        Long.toString(seed),
                        pairs ? "answers" : "documents",
                        Integer.toString(documents))
                : Map.of("documents", Integer.toString(text.size()));
    }
}
