package dev.outrider.common;

/// The reasons of policies that choose lengths or drafters.
public final class Reasons {
    /// Not enough data for a comparison.
    public static final String LEARNING = "learning";

    /// The choice with the largest expected gain.
    public static final String BEST = "best";

    /// Exploration of another choice.
    public static final String TRIAL = "trial";

    private Reasons() {}
}
