package dev.outrider.training.data;

import java.util.Locale;
import java.util.Optional;

/// The format of a file of documents.
public enum DataFormat {
    /// Plain text, cut into pieces.
    TEXT,
    /// One JSON object per line.
    JSONL,
    /// Columns; a record is a row.
    PARQUET;

    /// Returns the format of a file's ending.
    static Optional<DataFormat> ofEnding(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        return switch (lower.substring(lower.lastIndexOf('.') + 1)) {
            case "txt", "text" -> Optional.of(TEXT);
            case "parquet" -> Optional.of(PARQUET);
            case "jsonl", "ndjson" -> Optional.of(JSONL);
            default -> Optional.empty();
        };
    }
}
