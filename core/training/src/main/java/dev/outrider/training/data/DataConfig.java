package dev.outrider.training.data;

import dev.outrider.common.Require;
import dev.outrider.common.Sha256;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The configuration of the training data.
public record DataConfig(
        @Doc("Where documents are from.") List<DataSourceConfig> sources,
        @Doc(
                        "Folder or GGUF file whose chat template conversations are written with; if absent, the target's, or the one beside the tokenizer.")
                Optional<Path> template,
        @Doc("Of the order in which documents come.") @Default("1") long seed,
        @Doc(
                        "Share of the documents, more than 0 and at most 0.5, whose loss is watched and that are not learned. Which ones, their text decides.")
                @Default("0.02")
                double validation) {
    /// Most sources.
    static final int MAX_SOURCES = 1000;

    public DataConfig {
        sources = List.copyOf(sources);
        Require.between("number of sources", sources.size(), 1, MAX_SOURCES);
        Require.that(
                validation > 0 && validation <= 0.5,
                "validation is %s; expected more than 0 and at most 0.5",
                validation);
    }

    /// The documents to learn, or those of the validation. Only a document's question decides where it belongs, so that a second copy
    /// belongs to the same part, and another order or mixture changes nothing.
    ///
    /// @param validation whether these are those of the validation
    /// @param share      of all documents that is validated, 0 to 1
    record Split(boolean validation, double share) {
        boolean has(Document document) {
            return place(document.question()) < share == validation;
        }

        /// Returns a number from 0 to 1 that depends on the text only.
        private static double place(String text) {
            return (ByteBuffer.wrap(Sha256.of(text).bytes()).getLong() >>> 11) * 0x1p-53;
        }
    }
}
