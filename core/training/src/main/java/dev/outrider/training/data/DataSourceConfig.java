package dev.outrider.training.data;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The configuration of one source of documents.
public record DataSourceConfig(
        @Doc("Files, or patterns of them such as texts/**/*.txt.") List<Path> files,
        @Doc(
                        "text, jsonl or parquet; if absent, the file's ending decides: .txt and .text, .jsonl and .ndjson, .parquet.")
                Optional<DataFormat> format,
        @Doc(
                        "What records are read as: text, completion or chat. If absent, the first of messages or conversations, prompt and text that a record has.")
                Optional<RecordKind> records,
        @Doc(
                        "How often a document is drawn from here, relative to the weights of the other sources.")
                @Default("1")
                double weight) {
    public DataSourceConfig {
        files = List.copyOf(files);
        Require.that(!files.isEmpty(), "files is empty; expected at least one");
        Require.that(
                weight > 0 && weight <= 1e9,
                "weight is %s; expected more than 0 and at most 1e9",
                weight);
    }

    /// The kind of document that a record of a file with fields becomes.
    public enum RecordKind {
        /// Its text.
        TEXT,
        /// Its prompt and its completion.
        COMPLETION,
        /// Its messages.
        CHAT
    }
}
