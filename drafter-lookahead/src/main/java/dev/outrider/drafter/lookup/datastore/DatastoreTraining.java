package dev.outrider.drafter.lookup.datastore;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// What `outrider train datastore` reads.
public record DatastoreTraining(
        @Doc("The target's tokenizer.json.") Path tokenizer,
        @Doc("Folder for the datastore, new or empty.") Path out,
        @Doc(
                        "Files to store, each document once; what validation keeps back is left out. The made-up corpus when there are none.")
                Optional<DataConfig> data,
        @Doc("Which made-up corpus to store.") @Default("1") long seed,
        @Doc("How many of its documents, at least 1.") @Default("5000") int documents,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
        @Doc(
                        "Tokens of a suffix that are sorted, 8 to 1024: the longest match and the deepest draft together.")
                @Default("32")
                int sortedTokens,
        @Doc(
                        "Tokens of a chunk, 1024 to 268435456. Making one takes 16 bytes of memory a token, looking up a search in each.")
                @Default("16777216")
                int chunkTokens) {
    private static final int MIN_SORTED = 8;
    private static final int MAX_SORTED = 1024;
    private static final int MIN_CHUNK = 1024;
    private static final int MAX_CHUNK = 1 << 28;

    public DatastoreTraining {
        require("documents", documents, 1, Integer.MAX_VALUE);
        require("sortedTokens", sortedTokens, MIN_SORTED, MAX_SORTED);
        require("chunkTokens", chunkTokens, MIN_CHUNK, MAX_CHUNK);
    }

    private static void require(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s %d must be between %d and %d".formatted(key, value, least, most));
        }
    }
}
