package dev.outrider.common;

/// The words in which those who choose between lengths or drafters give their reasons.
public final class Reasons {
    /// Too little is known to compare.
    public static final String LEARNING = "learning";

    /// Of all choices the one that looks best.
    public static final String BEST = "best";

    /// Another choice, to see what it gives now.
    public static final String TRIAL = "trial";

    private Reasons() {}
}
