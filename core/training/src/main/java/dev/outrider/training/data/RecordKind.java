package dev.outrider.training.data;

/// What a record of a file with fields is read as.
public enum RecordKind {
    /// Its text.
    TEXT,
    /// Its prompt and its completion.
    COMPLETION,
    /// Its messages.
    CHAT
}
