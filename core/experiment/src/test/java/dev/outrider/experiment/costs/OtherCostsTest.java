package dev.outrider.experiment.costs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.experiment.costs.OtherCosts.OrderChange;
import dev.outrider.experiment.costs.OtherCosts.PricedVariant;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.results.RoundLine;
import dev.outrider.experiment.results.WrittenResults;
import dev.outrider.experiment.stats.VariantResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OtherCostsTest {
    private static final String YAML =
            """
            name: fake
            target: table
            prompts: {file: PROMPTS}
            maxTokens: 40
            repetitions: 1
            variants:
              - name: short
                drafter: {use: table, agreement: 0.9, tree: 1}
              - name: long
                drafter: {use: table, agreement: 0.9, tree: 6}
            """;

    private static final String PROMPTS =
            List.of("ab", "ba", "bb", "aa", "abc", "cba", "cab", "bca").stream()
                    .map("{\"prompt\": \"%s\"}\n"::formatted)
                    .collect(Collectors.joining());

    @TempDir private Path folder;
    private Optional<Cell> results = Optional.empty();

    @BeforeEach
    void run() throws IOException {
        var written = WrittenResults.in(folder, YAML, PROMPTS);
        results = Optional.of(ResultReader.read(written).cells().getFirst());
    }

    /// The times of the tables are exact, so the rounds at their own costs give the measurement.
    @Test
    void atItsOwnCostsARunIsWhatWasMeasured() {
        var priced = OtherCosts.of(cell(), MeasuredCosts.of(cell()));
        for (VariantResult variant : cell().speculative()) {
            double measured =
                    variant.ranking().orElseThrow().against().stream()
                            .filter(each -> each.variant().equals("plain"))
                            .findFirst()
                            .orElseThrow()
                            .ratio()
                            .value();
            assertThat(variant(priced, variant.name()).here().value())
                    .isCloseTo(measured, within(1e-9));
            assertThat(variant(priced, variant.name()).there().value())
                    .isCloseTo(measured, within(1e-9));
        }
        assertThat(priced.changes()).isEmpty();
    }

    @Test
    void whereRowsAndDraftsAreFreeTheSpeedupIsTokensARound() {
        var priced = OtherCosts.of(cell(), costs(Map.of(1, 1e6, 7, 1e6), 0, 0));
        double logs =
                ResultReader.rounds(cell().folder()).stream()
                        .filter(line -> line.variant().equals("long"))
                        .collect(Collectors.groupingBy(RoundLine::prompt))
                        .values()
                        .stream()
                        .mapToDouble(lines ->
                                Math.log(
                                        lines.stream()
                                                        .mapToDouble(line -> line.round().emitted())
                                                        .sum()
                                                / lines.size()))
                        .average()
                        .orElseThrow();
        assertThat(variant(priced, "long").there().value()).isCloseTo(Math.exp(logs), within(1e-9));
        assertThat(variant(priced, "long").pays()).isEqualTo("pays");
        assertThat(variant(priced, "plain").there().value()).isEqualTo(1);
    }

    @Test
    void saysWhichSidesChangePlacesAndWhy() {
        var slow = OtherCosts.of(cell(), costs(Map.of(1, 1e6, 7, 1e6), 9e5, 0));
        assertThat(variant(slow, "long").pays()).isEqualTo("loses");
        assertThat(slow.changes())
                .anySatisfy(change -> {
                    assertThat(change.faster()).isEqualTo("short");
                    assertThat(change.slower()).isEqualTo("long");
                    assertThat(change.reason()).isEqualTo(OrderChange.Reason.DRAFTS);
                    assertThat(change.here()).isLessThan(1);
                    assertThat(change.there()).isGreaterThan(1);
                });
        var steep = OtherCosts.of(cell(), costs(Map.of(1, 1e6, 7, 7e6), 1e5, 0));
        assertThat(steep.changes())
                .anySatisfy(change -> {
                    assertThat(change.slower()).isEqualTo("long");
                    assertThat(change.reason()).isEqualTo(OrderChange.Reason.ROWS);
                });
    }

    @Test
    void saysThatRowsWereNotTimed() {
        assertThat(OtherCosts.of(cell(), costs(Map.of(1, 1e6, 2, 1e6), 0, 0)).notes())
                .contains(
                        "Passes of more than 2 rows, up to 7, were not timed there: a line is drawn on.");
    }

    @Test
    void costsAreTypedInForVariantsAndForDrafters() {
        var file =
                new CostsFile(
                        new CostsFile.Target(List.of(1, 7), List.of(2.0, 3.0)),
                        List.of(
                                new CostsFile.Drafts("table", 0, 1.5),
                                new CostsFile.Drafts("short", 0.5, 0)),
                        Optional.of(.25));
        var costs = file.costs("x", Map.of("short", "table", "long", "table"), List.of("plain"));
        assertThat(costs.target().at(4)).isEqualTo(2.5e6);
        var dearest = new LinearCost(0, 1.5e6, "typed in");
        assertThat(costs.drafters())
                .containsEntry("short", new LinearCost(5e5, 0, "typed in"))
                .containsEntry("long", dearest);
        assertThat(dearest.of(2)).isEqualTo(3e6);
        assertThat(dearest.of(0)).isZero();
        assertThat(costs.engine())
                .containsOnlyKeys("plain", "short", "long")
                .containsValue(new LinearCost(2.5e5, 0, "typed in"));
        assertThatThrownBy(() -> file.costs("x", Map.of("long", "table"), List.of()))
                .hasMessage(
                        "drafters names 'short', which is neither a variant nor a drafter of the results: [long, table]");
        assertThatThrownBy(() -> new CostsFile.Target(List.of(1, 2), List.of(1.0)))
                .hasMessage("target has 2 rows and 1 millis, expected as many");
    }

    private Cell cell() {
        return results.orElseThrow();
    }

    private static PricedVariant variant(OtherCosts costs, String name) {
        return costs.variants().stream()
                .filter(variant -> variant.variant().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Costs costs(Map<Integer, Double> passes, double step, double nanos) {
        var draft = new LinearCost(0, step, "a test");
        var engine = new LinearCost(nanos, 0, "");
        return new Costs(
                "there",
                "a test",
                new CostCurve(new TreeMap<>(passes)),
                Map.of("short", draft, "long", draft),
                Map.of("plain", engine, "short", engine, "long", engine));
    }
}
