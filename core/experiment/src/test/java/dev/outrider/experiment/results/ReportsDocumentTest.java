package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.report.chart.Figures;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Place;
import dev.outrider.experiment.table.VariantColumns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Compares `docs/guide/reports.md` with the columns and the drawings. If it fails, the expected text is the text to write there.
final class ReportsDocumentTest {
    @Test
    void listsEveryColumnWithItsMeaning() throws IOException {
        assertThat(table("| key |"))
                .isEqualTo(
                        Stream.concat(
                                        Stream.of(
                                                "| key | heading | unit | meaning | shown |",
                                                "| --- | --- | --- | --- | --- |"),
                                        VariantColumns.ALL.stream().map(ReportsDocumentTest::row))
                                .collect(Collectors.joining("\n")));
    }

    private static String row(Column<VariantResult> column) {
        var term = column.term();
        String places =
                Stream.of(Place.values())
                        .filter(column.places()::contains)
                        .map(ReportsDocumentTest::shown)
                        .collect(Collectors.joining(", "));
        return "| `%s` | %s | %s | %s | %s |"
                .formatted(term.key(), term.heading(), term.unit(), term.definition(), places)
                .replace("|  |", "| |");
    }

    private static String shown(Place place) {
        return switch (place) {
            case TABLE -> "details";
            case PAGE -> "report";
            case COMPARISON -> "two results";
            case BENCH, SWEEP, KINDS, POSITIONS, BEAMS, RANKINGS ->
                    place.name().toLowerCase(Locale.ROOT);
        };
    }

    @Test
    void listsEveryDrawingInTheOrderOfThePage() throws IOException {
        assertThat(table("| section |").lines())
                .containsSubsequence(
                        Figures.OF_PAGE.stream()
                                .map(kind -> "| %s | %s |".formatted(kind.title(), kind.shows()))
                                .toList());
    }

    /// Returns the lines of the table with this beginning.
    private static String table(String start) throws IOException {
        var file = Path.of(System.getProperty("outrider.root", "../.."), "docs/guide/reports.md");
        return Files.readAllLines(file).stream()
                .dropWhile(line -> !line.startsWith(start))
                .takeWhile(line -> line.startsWith("|"))
                .collect(Collectors.joining("\n"));
    }
}
