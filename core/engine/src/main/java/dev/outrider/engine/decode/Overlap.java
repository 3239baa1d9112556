package dev.outrider.engine.decode;

/// Whether a drafter works for its next draft before the target has scored the last one. The output is the same in all three.
public enum Overlap {
    /// It drafts when it is asked for a draft.
    NONE,
    /// It works ahead, and the target waits for it: what enumeration and comparisons need.
    IN_TURN,
    /// It works ahead on a thread of its own while the target scores.
    BESIDE
}
