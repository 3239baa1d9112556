package dev.outrider.experiment.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.common.Ticker;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.bench.BenchEstimate;
import dev.outrider.experiment.bench.BenchEstimate.OfVariant;
import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.TablePlugin;
import dev.outrider.experiment.sweep.CellRecord.CellFailure;
import dev.outrider.experiment.sweep.CellRunner.CellOutcome;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SweepTest {
    @TempDir Path folder;

    @Test
    void everyCellIsTheResultOfAComparison() throws IOException {
        var sweep = sweep(TableSweep.FILE, "");
        sweep.run((_, _) -> {});

        var plan = SweepPlan.read(sweep.folder().plan());
        assertThat(plan.cells()).hasSize(6);
        var cell = sweep.folder().cell(plan.cell(3).id());
        try (var files = Files.list(cell)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .contains(
                            "cell.json",
                            "config.yaml",
                            "provenance.json",
                            "rounds.jsonl",
                            "summary.json",
                            "details.json",
                            "table.txt");
        }
        var again =
                new ConfigLoader(TablePlugin.installed(new FakeClock()), folder)
                        .load(cell.resolve("config.yaml"), ExperimentConfig.class, List.of());
        assertThat(again.config().sampling().temperature()).isEqualTo(1);
        assertThat(again.effective().configHash()).isEqualTo(plan.cell(3).configHash());
        assertThat(
                        new ObjectMapper()
                                .readTree(cell.resolve("provenance.json").toFile())
                                .get("configHash")
                                .asText())
                .isEqualTo(plan.cell(3).configHash());
    }

    @Test
    void theMergedReportHasEveryCellWithItsLabelsAndSummary() throws IOException {
        var sweep = sweep(TableSweep.FILE, "");
        sweep.run((_, _) -> {});

        var merged = new ObjectMapper().readTree(sweep.folder().summary().toFile());
        assertThat(merged.get("finished").asInt()).isEqualTo(6);
        assertThat(merged.get("cells")).hasSize(6);
        var third = merged.get("cells").get(2);
        assertThat(third.get("labels").get("variants[0].drafter.agreement").asText())
                .isEqualTo("0.5");
        assertThat(third.get("summary"))
                .isEqualTo(
                        new ObjectMapper()
                                .readTree(
                                        sweep.folder()
                                                .root()
                                                .resolve(third.get("folder").asText())
                                                .resolve("summary.json")
                                                .toFile()));
        assertThat(Files.readString(sweep.folder().table()))
                .contains("6 of 6 cells finished, 0 failed, 0 refused, 0 excluded.")
                .containsPattern("\\n5 +0\\.9 +1 +chain ");
        double slow = merged.get("cells").get(0).get("summary").get(1).get("alpha").asDouble();
        double fast = merged.get("cells").get(4).get("summary").get(1).get("alpha").asDouble();
        assertThat(fast).as("agreement 0.9 against 0.2").isGreaterThan(slow + 0.2);
    }

    @Test
    void aCellThatFailsIsReportedAndTriedAgain() throws IOException {
        var file =
                TableSweep.FILE.replace(
                        "    sampling.temperature: [0, 1]",
                        "    texts: {good: {prompts: {texts: [ab]}}, bad: {prompts: {texts: [fb, fa]}}}");
        var sweep = sweep(file, "");

        var count = sweep.run((_, _) -> {});

        assertThat(count).isEqualTo(new CellRunner.Count(3, 0, 3));
        var merged = sweep.merge(SweepPlan.read(sweep.folder().plan()));
        assertThat(merged.failures())
                .extracting(CellFailure::index, CellFailure::code)
                .containsExactly(
                        tuple(1, "DATA_INVALID"),
                        tuple(3, "DATA_INVALID"),
                        tuple(5, "DATA_INVALID"));
        assertThat(Files.readString(sweep.folder().table()))
                .contains("3 of 6 cells finished, 3 failed")
                .contains("texts=bad): DATA_INVALID: the prompt is poisoned Take another.");
        List<String> ran = new ArrayList<>();
        sweep.run((cell, outcome) ->
                ran.add(cell.index() + " " + outcome.getClass().getSimpleName()));
        assertThat(ran)
                .containsExactly(
                        "0 FinishedBefore",
                        "1 Failed",
                        "2 FinishedBefore",
                        "3 Failed",
                        "4 FinishedBefore",
                        "5 Failed");
    }

    @Test
    void combinationsThatAreLossyOrCannotWorkAreRefusedWithTheReason() throws IOException {
        var file =
                TableSweep.FILE.replace(
                        "    variants[0].drafter.agreement: [0.2, 0.5, 0.9]",
                        """
                            variants[0].rule: [token, {use: lenience, factor: 0.5}, multi-step]
                        """
                                .stripTrailing());
        var plan = sweep(file, "").plan();

        assertThat(plan.cells().stream().map(cell -> List.copyOf(cell.labels().values())))
                .contains(List.of("token", "0"), List.of("token", "1"));
        assertThat(plan.refused())
                .filteredOn(cell -> cell.labels().containsValue("1"))
                .anySatisfy(cell -> {
                    assertThat(cell.code()).isEqualTo("LOSSY_NOT_ALLOWED");
                    assertThat(cell.labels())
                            .containsEntry("variants[0].rule", "{use: lenience, factor: 0.5}");
                    assertThat(cell.reason()).contains("lenience");
                });
        assertThat(plan.cells().stream().map(PlannedCell::index))
                .as("refused cells have no number")
                .containsExactlyElementsOf(
                        IntStream.range(0, plan.cells().size()).boxed().toList());
    }

    @Test
    void mergingRefusesCellsOfOtherRevisions() throws IOException {
        var sweep = sweep(TableSweep.FILE, "");
        var plan = sweep.folder().adopt(sweep.plan());
        assertThat(sweep.runner(plan).run(plan.cell(0))).isInstanceOf(CellOutcome.Finished.class);
        var other =
                new TableSweep(
                        folder.resolve("tables.yaml"),
                        folder.resolve("out"),
                        new GitState("def", true),
                        0);
        assertThatThrownBy(() ->
                        new SweepMerge(plan, sweep.folder(), false)
                                .requireContinuedBy(new GitState("def", true), "1"))
                .hasMessageStartingWith(
                        "RESULTS_MIXED: cells of '%s' were run by different revisions: abc (1), def with changes (1)"
                                .formatted(sweep.folder().root()));
        assertThat(other.runner(plan).run(plan.cell(1))).isInstanceOf(CellOutcome.Finished.class);

        assertThatThrownBy(() -> new SweepMerge(plan, sweep.folder(), false).merge())
                .hasMessageContaining("RESULTS_MIXED");
        var allowed = new SweepMerge(plan, sweep.folder(), true).merge();
        assertThat(allowed.revisions()).containsExactly("abc (1)", "def with changes (1)");
        assertThat(SweepTable.of(allowed))
                .contains("mixed revisions: abc (1), def with changes (1)");
    }

    @Test
    void refusesToAddToTheResultsOfAnotherPlan() throws IOException {
        sweep(TableSweep.FILE, "").run((_, _) -> {});
        var shorter = sweep(TableSweep.FILE.replace("[0.2, 0.5, 0.9]", "[0.2, 0.5]"), "");

        assertThatThrownBy(() -> shorter.run((_, _) -> {}))
                .hasMessageContaining(
                        "holds another plan than 'tables.yaml' asks for now: 6 cells then, 4 now");
        assertThatThrownBy(() -> new SweepMerge(shorter.plan(), shorter.folder(), true).merge())
                .hasMessageContaining("RESULTS_MIXED")
                .hasMessageContaining("of another plan");
    }

    @Test
    void aPlanThatWasEditedOrCutOffIsRefused() throws IOException {
        var sweep = sweep(TableSweep.FILE, "");
        var plan = sweep.folder().adopt(sweep.plan());
        var file = sweep.folder().plan();
        var text = Files.readString(file);
        assertThat(SweepPlan.read(file)).isEqualTo(plan);

        Files.writeString(file, text.replace("\"0.9\"", "\"0.8\""));
        assertThatThrownBy(() -> SweepPlan.read(file))
                .hasMessage(
                        """
                        DATA_INVALID: '%s' was changed: its cells do not have the hash it states
                          Make the plan again with 'outrider sweep CONFIG' in another folder (--out), or remove this one first.\
                        """
                                .formatted(file));
        Files.writeString(file, text.substring(0, 900));
        assertThatThrownBy(() -> SweepPlan.read(file)).hasMessageStartingWith("DATA_INVALID: '");
        Files.writeString(file, text.replace("\"version\" : 2", "\"version\" : 1"));
        assertThatThrownBy(() -> SweepPlan.read(file))
                .hasMessageContaining("is a plan of version 1, expected 2");
        assertThatThrownBy(() -> plan.cell(6))
                .hasMessageStartingWith(
                        "USAGE: there is no cell 6; the plan has 6, numbered from 0");
    }

    @Test
    void thePlanDoesNotDependOnWhereTheResultsGo() throws IOException {
        var here = sweep(TableSweep.FILE, "").plan();
        var there = sweep(TableSweep.FILE, "deeper/still").plan();

        assertThat(there.planHash()).isEqualTo(here.planHash());
        assertThat(there.cells().stream().map(PlannedCell::id))
                .containsExactlyElementsOf(here.cells().stream().map(PlannedCell::id).toList());
    }

    @Test
    void theEstimateGrowsWithTheWork() throws IOException {
        var clock = new FakeClock();
        var config = experiment(clock).config();
        var host = host(clock);

        double one = BenchEstimate.seconds(List.of(config), host);
        double two = BenchEstimate.seconds(List.of(config, config), host);

        // Two variants, one warm-up and three prompts of 24 tokens, 1000 ns each.
        assertThat(one).isCloseTo(2 * 4 * 24 * 1e-6, within(1e-9));
        assertThat(two).isCloseTo(2 * one, within(1e-9));
    }

    /// A token takes 0.1 seconds, a prompt 0.3.
    @ParameterizedTest
    @CsvSource({"1, shared, 4", "1, each, 8", "0, shared, 8"})
    void theEstimateCountsReadingForAllVariantsOnceAndASecondOfWarmUp(
            int keeps, String prefill, int readings) {
        var clock = new FakeClock();
        var loaded =
                experiment(
                        clock,
                        "target={use: table, reading: 3000, keeps: " + keeps + "}",
                        "prompts={texts: [ab, ba, bb]}",
                        "prefill=" + prefill);
        var host = host(() -> 100_000 * clock.nanos());

        double seconds = BenchEstimate.seconds(List.of(loaded.config()), host);

        assertThat(seconds).isCloseTo(2 * (1 + 3 * 24 * 0.1) + readings * 0.3, within(1e-9));
        var whole = BenchEstimate.of(loaded.config(), loaded.effective(), host);
        var plain = whole.variants().getFirst();
        assertThat(plain.seconds()).isCloseTo(1 + 3 * 24 * 0.1 + readings / 2 * 0.3, within(1e-9));
        double all = whole.variants().stream().mapToDouble(OfVariant::seconds).sum();
        assertThat(whole.seconds()).isCloseTo(all, within(1e-9));
    }

    private Loaded<ExperimentConfig> experiment(FakeClock clock, String... overrides) {
        return new ConfigLoader(TablePlugin.installed(clock), folder)
                .parse(
                        TableSweep.FILE.substring(0, TableSweep.FILE.indexOf("sweep:")),
                        "x",
                        folder,
                        ExperimentConfig.class,
                        List.of(overrides));
    }

    private static Host host(Ticker ticker) {
        return new Host(
                new GitState("abc", false),
                "",
                "",
                new TreeMap<>(Map.of()),
                _ -> {},
                ticker,
                InstantSource.system());
    }

    private TableSweep sweep(String text, String below) throws IOException {
        var file = Files.writeString(folder.resolve("tables.yaml"), text);
        return TableSweep.of(file, folder.resolve("out").resolve(below));
    }
}
