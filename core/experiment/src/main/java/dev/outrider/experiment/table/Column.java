package dev.outrider.experiment.table;

import dev.outrider.experiment.table.Table.Term;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// A column: its name, its meaning, the tables that show it, and the function that computes it. Immutable.
///
/// @param <R>    type of a row
/// @param term   name, heading, unit and definition
/// @param places the tables that show it
/// @param value  returns the value of a row
public record Column<R>(Term term, Set<Place> places, Function<R, Value> value) {
    /// A column whose heading is its key, without unit and definition, which no table shows yet.
    public static <R> Column<R> of(String key, Function<R, Value> value) {
        return new Column<>(new Term(key, key, "", ""), Set.of(), value);
    }

    /// A column of words.
    public static <R> Column<R> words(String key, Function<R, String> text) {
        return of(key, row -> Value.words(text.apply(row)));
    }

    /// A column of numbers.
    ///
    /// @param decimals digits after the point that are shown
    public static <R> Column<R> number(String key, int decimals, ToDoubleFunction<R> number) {
        return of(key, row -> Value.number(number.applyAsDouble(row), decimals));
    }

    /// The same column with a definition.
    public Column<R> meaning(String definition) {
        return with(new Term(term.key(), term.heading(), term.unit(), definition));
    }

    /// The same column with the term and the places from `terms.properties`.
    ///
    /// @param table as of [Term#of]
    public Column<R> explained(String table) {
        return new Column<>(Term.of(table, term.key()), Place.of(table, term.key()), value);
    }

    /// The same column under another heading.
    public Column<R> called(String heading) {
        return with(new Term(term.key(), heading, term.unit(), term.definition()));
    }

    private Column<R> with(Term other) {
        return new Column<>(other, places, value);
    }

    /// The same column, with `-` in some rows.
    public Column<R> unless(Predicate<R> absent) {
        return new Column<>(
                term, places, row -> absent.test(row) ? Value.absent("-") : value.apply(row));
    }

    /// The same column for rows that contain its row type as a part.
    public <S> Column<S> of(Function<S, R> part) {
        return new Column<>(term, places, row -> value.apply(part.apply(row)));
    }
}
