package dev.outrider.engine.decode;

/// Whether a drafter works for its next draft before the target has scored the last one, and on how many outcomes of the round. The output
/// is the same whatever it is.
///
/// @param when     when it works
/// @param branches most outcomes of a round that are worked on at a time, 1 to [#MAX_BRANCHES]
public record Overlap(When when, int branches) {
    /// Default number of outcomes that are worked on (docs/guide/overlap.md).
    public static final int BRANCHES = 8;

    /// More outcomes than this are refused: each takes rows of the drafter's cache.
    public static final int MAX_BRANCHES = 256;

    /// It drafts when it is asked for a draft.
    public static final Overlap NONE = new Overlap(When.NEVER, BRANCHES);

    /// It works ahead, and the target waits for it: what enumeration and comparisons need.
    public static final Overlap IN_TURN = new Overlap(When.IN_TURN, BRANCHES);

    /// It works ahead on a thread of its own while the target scores.
    public static final Overlap BESIDE = new Overlap(When.BESIDE, BRANCHES);

    /// When a drafter works for its next draft.
    public enum When {
        /// When it is asked for a draft.
        NEVER,
        /// Before the target scores.
        IN_TURN,
        /// While the target scores.
        BESIDE
    }

    /// Checks the number of branches.
    public Overlap {
        if (branches < 1 || branches > MAX_BRANCHES) {
            throw new IllegalArgumentException(
                    "'branches' must be between 1 and %d, got %d"
                            .formatted(MAX_BRANCHES, branches));
        }
    }

    /// The same with another number of branches.
    public Overlap branches(int other) {
        return new Overlap(when, other);
    }

    /// Whether it works ahead at all.
    public boolean ahead() {
        return when != When.NEVER;
    }

    /// Whether it works on a thread of its own.
    boolean beside() {
        return when == When.BESIDE;
    }
}
