package dev.outrider.experiment.costs;

import java.util.Locale;

/// Two sides that change places.
///
/// @param faster    the faster one at the other costs
/// @param slower    the faster one at the costs of the run itself
/// @param here      how many times as fast as `slower` the first was in the run; below 1
/// @param there     how many times as fast it is at the other costs; above 1
/// @param shown     whether the intervals there show it
/// @param reason    the part of a round that changes most between the two
public record OrderChange(
        String faster, String slower, double here, double there, boolean shown, Reason reason) {
    /// A part of what a token costs.
    public enum Reason {
        DRAFTS("drafts"),
        ROWS("rows of the target's pass"),
        ENGINE("the rest of a round");

        private final String shown;

        Reason(String shown) {
            this.shown = shown;
        }

        /// As tables say it.
        public String shown() {
            return shown;
        }
    }

    /// In a sentence.
    public String sentence() {
        return String.format(
                Locale.ROOT,
                "'%s' passes '%s': %.2f times as fast here, %.2f there%s; mostly because of %s.",
                faster,
                slower,
                here,
                there,
                shown ? "" : " (not shown by the interval)",
                reason.shown());
    }
}
