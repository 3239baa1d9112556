package dev.outrider.experiment.stats;

/// How a comparison that continued until it was decided came to its end.
///
/// @param planned    looks at what was measured that there could have been; the intervals are corrected for all of them
/// @param taken      looks there were
/// @param mostPrompts it could have measured
/// @param end        why it ended
public record Looks(int planned, int taken, int mostPrompts, End end) {
    /// In a sentence or two.
    public String shown() {
        return "Continued until decided: look %d of at most %d, at most %d prompts; ended because %s. Intervals of who is fastest hold for all looks together, those of speedups for the last one alone."
                .formatted(taken, planned, mostPrompts, end.shown());
    }

    /// Why a comparison ended.
    public enum End {
        /// It is known who is fastest, or which are alike.
        DECIDED("it was decided"),
        /// Every prompt was measured.
        NO_MORE_PROMPTS("every prompt was measured"),
        /// The time was over.
        TIME_OVER("the time was over"),
        /// The user ended it.
        INTERRUPTED("it was interrupted");

        private final String shown;

        End(String shown) {
            this.shown = shown;
        }

        /// As tables say it.
        public String shown() {
            return shown;
        }
    }
}
