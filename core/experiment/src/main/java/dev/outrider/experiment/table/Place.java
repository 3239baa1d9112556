package dev.outrider.experiment.table;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The places where a column is shown. `summary.json` and `summary.csv` have all of them.
public enum Place {
    /// The short table at the end of a run.
    BENCH,
    /// The table of `--details` and `table.txt`, and its legend.
    TABLE,
    /// `report.html` and `report.md`.
    PAGE,
    /// The table of a sweep.
    SWEEP,
    /// The table of each kind of prompt.
    KINDS,
    /// The table of each position of a draft.
    POSITIONS,
    /// The table of beam searches.
    BEAMS,
    /// The ranking.
    RANKINGS,
    /// Two results beside each other.
    COMPARISON;

    /// Returns the places of a column by `terms.properties`.
    ///
    /// @param table as of [Table.Term#of]
    static Set<Place> of(String table, String key) {
        return Pattern.compile(" ")
                .splitAsStream(Table.Term.text(table + "." + key + ".places", ""))
                .filter(name -> !name.isEmpty())
                .map(Place::valueOf)
                .collect(Collectors.toSet());
    }
}
