package dev.outrider.spi;

/// Why a sequence ended.
public enum FinishReason {
    END_OF_SEQUENCE,
    STOP_STRING,
    MAX_TOKENS,
    CONTEXT_FULL,
    CANCELLED
}
