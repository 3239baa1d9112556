package dev.outrider.engine.length;

/// The words in which length policies give their reasons.
public final class Reasons {
    /// Too little is known to compare lengths.
    public static final String LEARNING = "learning";

    /// Of all lengths the one that looks best.
    public static final String BEST = "best";

    /// Another length, to see what it gives now.
    public static final String TRIAL = "trial";

    private Reasons() {}
}
