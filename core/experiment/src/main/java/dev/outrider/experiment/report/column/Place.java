package dev.outrider.experiment.report.column;

/// Where a column is shown. `summary.json` and `summary.csv` have all of them.
public enum Place {
    /// The table that a run ends with, and its legend.
    TABLE("table"),
    /// `report.html` and `report.md`.
    PAGE("report"),
    /// The table of a sweep.
    SWEEP("sweep"),
    /// What a run says of each kind of prompt.
    KINDS("kinds"),
    /// What a run says of each position of a draft.
    POSITIONS("positions"),
    /// What a run says of beam searches.
    BEAMS("beams"),
    /// What a run says of who is fastest.
    STANDINGS("standings"),
    /// Two results beside each other.
    COMPARISON("two results");

    private final String shown;

    Place(String shown) {
        this.shown = shown;
    }

    /// As the documentation calls it.
    public String shown() {
        return shown;
    }
}
