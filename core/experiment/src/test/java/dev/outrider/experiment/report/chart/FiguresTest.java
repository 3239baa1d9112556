package dev.outrider.experiment.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.report.Parsed;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.results.WrittenResults;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FiguresTest {
    @TempDir Path folder;

    private Results results = new Results("none", Path.of(""), List.of(nothing()), List.of());

    @BeforeEach
    void run() throws IOException {
        results = ResultReader.read(WrittenResults.in(folder));
    }

    @Test
    void everyDrawingOfACompleteResultIsThere() {
        assertThat(Figures.of(results))
                .filteredOn(figure -> figure.drawing().isEmpty())
                .extracting(Figure::id)
                .isEmpty();
        assertThat(Figures.of(results)).extracting(Figure::id).doesNotHaveDuplicates();
        assertThat(Figures.of(results))
                .extracting(Figure::title)
                .containsExactlyElementsOf(
                        Figures.OF_PAGE.stream().map(Figures.Kind::title).toList());
    }

    @Test
    void drawingsHaveANameForThoseWhoCannotSeeThem() throws Exception {
        for (Figure figure : Figures.of(results)) {
            if (figure.drawing().isPresent()) {
                var svg = Parsed.xml(Markup.write(figure.drawing().get()));
                var root = svg.getDocumentElement();
                assertThat(root.getAttribute("role")).isEqualTo("img");
                assertThat(Parsed.byId(svg, root.getAttribute("aria-labelledby")).getTextContent())
                        .isEqualTo(figure.title());
                assertThat(figure.numbers()).hasSizeGreaterThan(1);
                assertThat(figure.numbers())
                        .allMatch(row -> row.size() == figure.numbers().getFirst().size());
            }
        }
    }

    @Test
    void stageBarsAreAsLongAsTheRound() {
        var chain = results.entries().getFirst().variant().meanNanos();
        var row =
                figure("stages").numbers().stream()
                        .filter(each -> each.getFirst().equals("chain"))
                        .findFirst()
                        .orElseThrow();
        double sum = row.subList(1, 7).stream().mapToDouble(Double::parseDouble).sum();
        double nanos =
                chain.draft()
                        + chain.score()
                        + chain.decide()
                        + chain.commit()
                        + chain.observe()
                        + chain.rest();
        assertThat(sum * 1e6).isBetween(nanos * (1 - 1e-9), nanos * (1 + 1e-9));
    }

    @Test
    void aLongLabelIsCutInTheDrawingAndWholeOnDemand() {
        String label = "x".repeat(80) + "\uD83D\uDE00";
        Element text = Svg.fitted(Svg.text("label", 0, 0, ""), label, 64);
        assertThat(Markup.write(text))
                .contains("x".repeat(6) + "\u2026xx\uD83D\uDE00", "<title>" + label + "</title>");
        assertThat(Markup.write(Svg.fitted(Svg.text("label", 0, 0, ""), "short", 64)))
                .doesNotContain("<title>");
    }

    private Figure figure(String id) {
        return Figures.of(results).stream()
                .filter(figure -> figure.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Cell nothing() {
        return new Cell(
                "none",
                Path.of(""),
                Map.of(),
                new Report(
                        Report.FORMAT,
                        "",
                        Optional.empty(),
                        new Report.Coverage(false, 0, 0, 0, 1, Optional.empty(), Optional.empty()),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Map.of()),
                Optional.empty(),
                Optional.empty());
    }
}
