package dev.outrider.experiment.table;

import dev.outrider.experiment.table.Table.Term;
import dev.outrider.experiment.table.Value.Number;
import dev.outrider.experiment.table.Value.Words;
import dev.outrider.experiment.table.VariantColumns.Place;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// A column: what a number is called, what it means, where it is shown and how it is got.
///
/// @param <R>    what a row is about
/// @param term   name, heading, unit and definition
/// @param places tables that show it
/// @param value  of a row
public record Column<R>(Term term, Set<Place> places, Function<R, Value> value) {
    public Column {
        places = Set.copyOf(places);
    }

    /// A column that no table shows yet.
    public static <R> Column<R> of(
            String key, String heading, String unit, String definition, Function<R, Value> value) {
        return new Column<>(new Term(key, heading, unit, definition), Set.of(), value);
    }

    /// A column of words.
    public static <R> Column<R> words(
            String key, String heading, String definition, Function<R, String> text) {
        return of(key, heading, "", definition, row -> new Words(text.apply(row)));
    }

    /// A column of numbers without a unit.
    ///
    /// @param decimals digits after the point that are shown
    public static <R> Column<R> number(
            String key,
            String heading,
            String definition,
            int decimals,
            ToDoubleFunction<R> number) {
        return of(
                key,
                heading,
                "",
                definition,
                row -> new Number(number.applyAsDouble(row), decimals));
    }

    /// The same column, in a unit.
    public Column<R> in(String unit) {
        return new Column<>(
                new Term(term.key(), term.heading(), unit, term.definition()), places, value);
    }

    /// The same column under another heading.
    public Column<R> called(String heading) {
        return new Column<>(
                new Term(term.key(), heading, term.unit(), term.definition()), places, value);
    }

    /// The same column, shown somewhere.
    public Column<R> at(Place... shown) {
        return new Column<>(term, Set.of(shown), value);
    }

    /// The same column in rows that have what it is about as a part.
    public <S> Column<S> of(Function<S, R> part) {
        return new Column<>(term, places, row -> value.apply(part.apply(row)));
    }

    /// The columns that a place shows, in order.
    public static <R> List<Column<R>> at(Place place, List<Column<R>> columns) {
        return columns.stream().filter(column -> column.places().contains(place)).toList();
    }
}
