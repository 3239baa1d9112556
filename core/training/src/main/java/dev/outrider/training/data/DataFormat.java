package dev.outrider.training.data;

import java.util.Locale;
import java.util.Optional;

/// How documents lie in a file.
public enum DataFormat {
    /// Plain text, cut into pieces.
    TEXT,
    /// A JSON object a line.
    JSONL,
    /// Columns; a record is a row.
    PARQUET;

    /// The format that a file's ending stands for.
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
