package dev.outrider.experiment.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/// Columns and their values in every row. Text, HTML, Markdown and comma-separated values are made from it.
///
/// @param columns in order
/// @param rows    as many values as columns in each
public record Table(List<Term> columns, List<List<Value>> rows) {
    /// The values of some rows in some columns.
    public static <R> Table of(List<Column<R>> columns, List<R> rows) {
        return new Table(
                columns.stream().map(Column::term).toList(),
                rows.stream()
                        .map(row ->
                                columns.stream().map(column -> column.value().apply(row)).toList())
                        .toList());
    }

    /// Whether a column has words in every row and not numbers.
    public boolean words(int column) {
        return rows.stream().allMatch(row -> row.get(column).words());
    }

    /// Returns the number of CSV fields of a column: a number with an interval has three.
    public int fields(int column) {
        return rows.stream().mapToInt(row -> row.get(column).fields().size()).max().orElse(1);
    }

    /// Returns the table as texts for people, the headings first.
    public List<List<String>> shown() {
        var lines = new ArrayList<List<String>>();
        lines.add(columns.stream().map(Term::heading).toList());
        rows.forEach(row -> lines.add(row.stream().map(Value::shown).toList()));
        return lines;
    }

    /// The name of a number and its meaning.
    ///
    /// @param key        its path in `summary.json` and in a variant of `details.json`, its head in `summary.csv`
    /// @param heading    in tables
    /// @param unit       empty for ratios and words
    /// @param definition a sentence
    public record Term(String key, String heading, String unit, String definition) {
        private static final ResourceBundle TEXTS =
                ResourceBundle.getBundle("dev.outrider.experiment.table.terms", Locale.ROOT);

        /// Returns a term whose definition, heading and unit are in `terms.properties`.
        ///
        /// @param table the first part of its name there
        public static Term of(String table, String key) {
            String name = table + "." + key;
            return new Term(
                    key, text(name + ".heading", key), text(name + ".unit", ""), text(name, ""));
        }

        /// Returns a text of `terms.properties`.
        ///
        /// @param otherwise the text if there is none
        static String text(String name, String otherwise) {
            return TEXTS.containsKey(name) ? TEXTS.getString(name) : otherwise;
        }

        /// Returns the definition, followed by the unit.
        public String meaning() {
            return unit.isEmpty() ? definition : "%s [%s]".formatted(definition, unit);
        }
    }
}
