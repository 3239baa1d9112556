package dev.outrider.experiment.table;

/// The places where a column is shown. `summary.json` and `summary.csv` have all of them.
public enum Place {
    /// The short table at the end of a run.
    BENCH("bench"),
    /// The table of `--details` and `table.txt`, and its legend.
    TABLE("details"),
    /// `report.html` and `report.md`.
    PAGE("report"),
    /// The table of a sweep.
    SWEEP("sweep"),
    /// The table of each kind of prompt.
    KINDS("kinds"),
    /// The table of each position of a draft.
    POSITIONS("positions"),
    /// The table of beam searches.
    BEAMS("beams"),
    /// The ranking.
    RANKINGS("rankings"),
    /// Two results beside each other.
    COMPARISON("two results");

    private final String shown;

    Place(String shown) {
        this.shown = shown;
    }

    /// Returns its name in the documentation.
    public String shown() {
        return shown;
    }
}
