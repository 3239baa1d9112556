package dev.outrider.engine.check;

/// What becomes of a request whose drafter or rule fails: throws, or breaks its contract.
public enum OnFailure {
    /// The request ends with the failure.
    STOP,
    /// The request goes on with plain decoding.
    PLAIN
}
