package dev.outrider.drafter.mtp;

/// What a module reads in place of the target's hidden state where that is not known yet.
public enum Recycle {
    /// The module's own output before its final norm.
    PRE,
    /// The output of the final norm, which the head reads.
    POST,
    /// The newest hidden state of the target that is known, again and again.
    TARGET
}
