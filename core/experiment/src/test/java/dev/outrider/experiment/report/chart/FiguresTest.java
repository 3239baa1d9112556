package dev.outrider.experiment.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.report.Parsed;
import dev.outrider.experiment.results.WrittenResults;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.run.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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
    void everyDrawingOfACompleteResultIsThereExceptThoseOfBatchesAndChosenLengths() {
        assertThat(Figures.of(results))
                .filteredOn(figure -> figure.drawing().isEmpty())
                .extracting(Figure::id)
                .containsExactly("lengths", "batch");
        assertThat(Figures.of(results)).extracting(Figure::id).doesNotHaveDuplicates();
        assertThat(Figures.files(results, Figures.of(results)))
                .extracting(Figure::title)
                .containsExactlyElementsOf(
                        Stream.concat(Figures.OF_PAGE.stream(), Figures.OF_FILES.stream())
                                .map(Figures.Kind::title)
                                .toList());
    }

    @Test
    void drawingsHaveANameForThoseWhoCannotSeeThem() throws Exception {
        for (Figure figure : Figures.of(results)) {
            if (figure.drawing().isPresent()) {
                var svg = Parsed.xml(MarkupWriter.write(figure.drawing().get()));
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
    void acceptedAndRedrawnMassAddUpToP() {
        var rows = figure("residual").numbers();
        double whole = 0;
        for (List<String> row : rows.subList(1, rows.size())) {
            double p = Double.parseDouble(row.get(3));
            double q = Double.parseDouble(row.get(4));
            double accepted = Double.parseDouble(row.get(5));
            double redrawn = Double.parseDouble(row.get(6));
            assertThat(accepted + redrawn).isEqualTo(p);
            assertThat(accepted).isLessThanOrEqualTo(Math.min(p, q) + 1e-12);
            whole += p;
        }
        assertThat(whole).isBetween(1 - 1e-9, 1 + 1e-9);
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
    void theBatchCurveIsDrawnFromTheLabelsOfCells() {
        var cells = new ArrayList<Cell>();
        for (String batch : List.of("8", "1", "2")) {
            cells.add(labelled(Map.of("batch", batch)));
        }
        var figure = BatchFigure.of(new Results("sweep", folder, cells, List.of()));
        assertThat(figure.drawing()).isPresent();
        assertThat(figure.numbers().stream().skip(1).map(row -> row.get(0) + row.get(1)))
                .containsExactly("chain1", "chain2", "chain8", "sampled1", "sampled2", "sampled8");
        var foreign = List.of(labelled(Map.of("batch", "1e9")), labelled(Map.of("batch", "-2")));
        assertThat(BatchFigure.of(new Results("sweep", folder, foreign, List.of())).drawing())
                .isEmpty();
    }

    @Test
    void aLongLabelIsCutInTheDrawingAndWholeOnDemand() {
        String label = "x".repeat(80) + "\uD83D\uDE00";
        Element text = Svg.fitted(Svg.text("label", 0, 0, ""), label, 64);
        assertThat(MarkupWriter.write(text))
                .contains("x".repeat(6) + "\u2026xx\uD83D\uDE00", "<title>" + label + "</title>");
        assertThat(MarkupWriter.write(Svg.fitted(Svg.text("label", 0, 0, ""), "short", 64)))
                .doesNotContain("<title>");
    }

    @Test
    void marksThatWouldCoverEachOtherShareOne() throws Exception {
        assertThat(marks(results)).containsExactly("1", "2", "1", "2");
        var cells = new ArrayList<Cell>();
        for (int i = 1; i <= 3; i++) {
            cells.add(labelled(Map.of("batch", Integer.toString(i))));
        }
        assertThat(marks(new Results("sweep", folder, cells, List.of())))
                .startsWith("1 3 5", "2 4 6", "1")
                .hasSize(8);
        for (int i = 4; i <= 6; i++) {
            cells.add(labelled(Map.of("batch", Integer.toString(i))));
        }
        assertThat(marks(new Results("sweep", folder, cells, List.of())))
                .as("two wide marks would touch")
                .startsWith("1-12", "1")
                .hasSize(13);
    }

    /// What stands in the marks of a landscape, those of its key after those on it.
    private static List<String> marks(Results results) throws Exception {
        var drawing = LandscapeFigure.of(results).drawing().orElseThrow();
        return Parsed.all(Parsed.xml(MarkupWriter.write(drawing)), "text").stream()
                .filter(text -> text.getAttribute("class").equals("pintext"))
                .map(org.w3c.dom.Element::getTextContent)
                .toList();
    }

    @Test
    void roundsAreDrawnTokenByTokenAndRepeatedOnesAreNamed() throws Exception {
        var figure = RoundsFigure.of(results);
        var samples = results.cells().getFirst().samples().orElseThrow();
        var svg = Parsed.xml(MarkupWriter.write(figure.drawing().orElseThrow()));
        long tokens =
                Parsed.all(svg, "g").stream()
                        .filter(group -> group.getAttribute("class").startsWith("token "))
                        .count();
        assertThat(tokens)
                .isEqualTo(figure.numbers().size() - 1 + RoundTokens.Mark.values().length);
        var first = samples.variants().getFirst().rounds().getFirst();
        assertThat(
                        figure.numbers().stream()
                                .filter(row -> row.get(0).equals("chain") && row.get(2).equals("1"))
                                .filter(row -> row.get(4).equals("accepted")))
                .hasSize(Math.min(first.accepted().size(), first.emitted()));

        var twice = List.of(labelled(Map.of("batch", "1")), labelled(Map.of("batch", "2")));
        var repeated = RoundsFigure.of(new Results("sweep", folder, twice, List.of()));
        assertThat(MarkupWriter.write(repeated.drawing().orElseThrow()))
                .contains("The same rounds as batch 1: chain.");
    }

    @Test
    void longTokensOfARoundStayInsideTheDrawing() throws Exception {
        var cell = results.cells().getFirst();
        var node = new Samples.Node(0, 1, "\u4E2D".repeat(90), true);
        var round =
                new Samples.Round(0, List.of(node, node), List.of(1), "x".repeat(300), false, 2);
        var samples =
                new Samples(
                        "p",
                        "text",
                        Optional.empty(),
                        List.of(new Samples.OfVariant("chain", List.of(round), Optional.empty())));
        var wide =
                new Cell(
                        cell.name(),
                        cell.folder(),
                        Map.of(),
                        cell.report(),
                        cell.provenance(),
                        Optional.of(samples));
        var svg =
                Parsed.xml(
                        MarkupWriter.write(
                                RoundsFigure.of(new Results("x", folder, List.of(wide), List.of()))
                                        .drawing()
                                        .orElseThrow()));
        assertThat(Parsed.all(svg, "rect"))
                .allMatch(rect ->
                        Double.parseDouble(rect.getAttribute("x"))
                                        + Double.parseDouble(rect.getAttribute("width"))
                                <= Svg.WIDTH);
    }

    private Figure figure(String id) {
        return Figures.of(results).stream()
                .filter(figure -> figure.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private Cell labelled(Map<String, String> labels) {
        var cell = results.cells().getFirst();
        return new Cell(
                cell.name(),
                cell.folder(),
                labels,
                cell.report(),
                cell.provenance(),
                cell.samples());
    }

    private static Cell nothing() {
        return new Cell(
                "none",
                Path.of(""),
                Map.of(),
                new Report(
                        Report.FORMAT,
                        "",
                        false,
                        0,
                        0,
                        0,
                        1,
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
