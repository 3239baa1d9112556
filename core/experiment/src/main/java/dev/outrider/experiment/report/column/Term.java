package dev.outrider.experiment.report.column;

/// A number's name and what it means.
///
/// @param key        its path in `summary.json` and in a side of `details.json`, its head in `summary.csv`
/// @param heading    as tables show it
/// @param unit       empty for ratios and words
/// @param definition a sentence
public record Term(String key, String heading, String unit, String definition) {
    /// The definition with the unit behind it.
    public String meaning() {
        return unit.isEmpty() ? definition : "%s [%s]".formatted(definition, unit);
    }
}
