package dev.outrider.experiment.stats;

import java.util.List;
import java.util.Optional;

/// The rank of a variant among those that decode under the same settings on the same prompts, plain decoding included.
///
/// @param probabilityBest share of the resampled sets of prompts on which it is the fastest
/// @param toBest          its speed over that of the fastest variant
/// @param verdict         the conclusion from the intervals about it and the fastest variant
/// @param morePrompts     the approximate number of further prompts that would distinguish it from the fastest variant, or show
///                        that they are alike, with a chance of 80 %; for the fastest variant, the number that would decide about
///                        all variants; empty if that is decided, or beyond a million
/// @param against         the same variant against each other one, in the order of the configuration
public record Ranking(
        double probabilityBest,
        Interval toBest,
        Verdict verdict,
        Optional<Long> morePrompts,
        List<Against> against) {
    /// Fewest independent prompts that can show a difference: five prompts agree by chance with probability 1/16, six with 1/32.
    public static final int MIN_PROMPTS = 6;

    /// The speed relative to another variant.
    ///
    /// @param variant the other variant
    /// @param ratio   above 1 if this variant is faster
    public record Against(String variant, Interval ratio) {}

    /// The conclusion from the intervals.
    public enum Verdict {
        /// Faster than every other variant.
        FASTEST("fastest"),
        /// The fastest, or within 2 % of those that share this verdict with it.
        TIED("tied for fastest"),
        /// No other variant is shown to be faster, and it is not shown to be as fast as the fastest.
        OPEN("not told apart from the fastest"),
        /// Another variant is faster, and it is not shown to be within 2 %.
        SLOWER("slower"),
        /// Too few prompts for a conclusion.
        UNKNOWN("fewer than " + MIN_PROMPTS + " independent prompts");

        private final String shown;

        Verdict(String shown) {
            this.shown = shown;
        }

        /// Returns the words of tables.
        public String shown() {
            return shown;
        }
    }
}
