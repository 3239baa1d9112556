package dev.outrider.engine.check;

/// The consequence for a request whose drafter or rule fails: it throws, or breaks its contract.
public enum OnFailure {
    /// The request ends with the failure.
    STOP,
    /// The request goes on with plain decoding.
    PLAIN
}
