package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.report.Csv;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.TablePlugin;
import dev.outrider.experiment.stats.VariantResult.OfKind;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.VariantColumns;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Evidence.DistributionTest;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
    private static final String FILE =
            """
            name: fake
            question: Does a table speed a table up?
            target: table
            prompts: {texts: [ab, ba, fb]}
            maxTokens: 21
            repetitions: 2
            variants:
              - name: chain
                drafter: {use: table, agreement: 0.8, tree: 3}
            """;

    private final FakeClock clock = new FakeClock();

    @TempDir Path results;

    @Test
    void writesEveryFileOfAResult() throws IOException {
        Report report = run(() -> false);
        Path folder = results.resolve("fake");
        assertThat(files(folder))
                .containsExactlyInAnyOrder(
                        ".lock",
                        "config.yaml",
                        "provenance.json",
                        "rounds.jsonl",
                        "generations.jsonl",
                        "summary.json",
                        "details.json",
                        "table.txt");
        assertThat(Files.readString(folder.resolve("table.txt"))).isEqualTo(TextTable.of(report));
        assertThat(
                        new ConfigLoader(TablePlugin.installed(clock), Path.of("/"))
                                .load(
                                        folder.resolve("config.yaml"),
                                        ExperimentConfig.class,
                                        List.of())
                                .config())
                .isEqualTo(loaded().config());
    }

    @Test
    void theSummaryIsAnArrayOfVariantsWithTheAgreedKeys() throws IOException {
        run(() -> false);
        JsonNode summary = json("summary.json");
        assertThat(summary.isArray()).isTrue();
        assertThat(summary).hasSize(2);
        assertThat(summary.get(0).get("variant").asText()).isEqualTo("plain");
        assertThat(summary.get(0).get("speedup").get("value").asDouble()).isEqualTo(1);
        assertThat(summary.get(1).fieldNames())
                .toIterable()
                .containsSubsequence(
                        "variant",
                        "drafter",
                        "rule",
                        "temperature",
                        "tokensPerSecond",
                        "speedup",
                        "expectedSpeedup",
                        "tokensPerRound",
                        "alpha",
                        "acceptanceByPosition",
                        "draftCost",
                        "engineShare",
                        "losslessness",
                        "evidence");
        assertThat(summary.get(1).get("evidence").isNull()).isTrue();
        assertThat(summary.get(1).get("speedup").fieldNames())
                .toIterable()
                .containsExactly("value", "low", "high");
        assertThat(summary.get(1).get("variant").asText()).isEqualTo("chain");
        assertThat(summary.get(1).get("rule").asText()).isEqualTo("greedy");
        assertThat(summary.get(1).get("acceptanceByPosition")).hasSize(3);
        assertThat(summary.get(1).get("losslessness").asText()).isEqualTo("greedy-equal");
        assertThat(summary.get(1).get("draftCost").asDouble()).isEqualTo(0.1);
    }

    /// A column's key is its path in the summary.
    @Test
    void everyColumnIsUnderItsKeyInTheSummaryAndDefinedInTheDetails() throws IOException {
        run(() -> false);
        JsonNode details = json("details.json");
        JsonNode variant = json("summary.json").get(1);
        for (var column : VariantColumns.ALL) {
            String key = column.term().key();
            String path = "/" + key.replace('.', '/');
            assertThat(variant.at(path).isMissingNode()).as(key).isFalse();
            assertThat(details.get("definitions").get(key).asText())
                    .as(key)
                    .isEqualTo(column.term().meaning());
        }
        assertThat(details.get("format").asInt()).isEqualTo(Report.FORMAT);
    }

    @Test
    void detailsHaveEverySideAndWhatWasLeftOut() throws IOException {
        run(() -> false);
        JsonNode details = json("details.json");
        assertThat(details.get("variants")).hasSize(2);
        assertThat(details.get("variants").get(0).get("variant").asText()).isEqualTo("plain");
        assertThat(details.get("failures").get(0).get("prompt").asText()).isEqualTo("text-3");
        assertThat(details.get("coverage").get("prompts").asInt()).isEqualTo(2);
        assertThat(
                        details.get("variants")
                                .get(1)
                                .get("speed")
                                .get("meanNanos")
                                .get("passByRows")
                                .get("4")
                                .asDouble())
                .isEqualTo(1150);
    }

    @Test
    void everyRoundIsALine() throws IOException {
        Report report = run(() -> false);
        List<String> lines = Files.readAllLines(results.resolve("fake/rounds.jsonl"));
        long rounds =
                report.variants().stream().mapToLong(variant -> variant.counts().rounds()).sum();
        assertThat(lines).hasSize((int) rounds);
        assertThat(lines.getFirst())
                .isEqualTo(
                        "{\"variant\":\"plain\",\"prompt\":\"text-1\",\"repetition\":0,\"round\":{\"round\":0,\"nodes\":0,"
                                + "\"depth\":0,\"accepted\":0,\"rejected\":false,\"emitted\":1,\"times\":{\"draft\":0,\"score\":1000,"
                                + "\"decide\":0,\"commit\":0,\"observe\":0,\"rest\":0}}}");
    }

    @Test
    void everyGenerationIsALineThatNamesItsPrompt() throws IOException {
        run(() -> false);
        List<String> lines = Files.readAllLines(results.resolve("fake/generations.jsonl"));
        assertThat(lines).hasSize(2 * 2 * 2);
        assertThat(lines.getFirst())
                .matches(
                        "\\{\"variant\":\"plain\",\"prompt\":\"text-1\",\"digest\":\"[0-9a-f]{16}\",\"source\":null,\"kind\":\"text\","
                                + "\"repetition\":0,\"tokens\":21,\"ids\":\\[[0-9,]*],\"wallNanos\":[0-9]+,\"hypotheses\":\\[]}");
        assertThat(
                        lines.stream()
                                .map(line -> line.replaceAll(".*digest\":\"(.{16}).*", "$1"))
                                .distinct())
                .hasSize(2);
    }

    @Test
    void theTablePutsPredictedBesideMeasuredAndDefinesItsColumns() {
        String table = TextTable.of(run(() -> false));
        assertThat(table)
                .startsWith(
                        """
                        Does a table speed a table up?

                        variant  drafter  rule    T     tokens/s   speedup            expected  formula  tokens/round  accept  draft length  draft nodes  draft cost  rounds with draft  draft µs  engine share  losslessness  exactness test
                        plain    none     greedy  0.00  1000000.0  1                  -         -        1.00          -       -             -            -           -                  -         0.0%          -             -
                        chain    table    greedy  0.00  1958042.0  1.97 [1.81, 2.13]  1.96      2.08     2.80          0.750   2.9           2.9          0.100       100.0%             0.3       0.0%          greedy-equal  ids equal 2/2

                        per position
                        chain  0.933 (0.933)  0.533 (0.615)  0.333 (0.625)

                        which is fastest, on the same prompts
                        Fewer than 6 independent prompts: which variant is the fastest is said from 6 on.

                        cost of the target's pass
                        rows        1             2        4
                        ms          0.00          0.00     0.00
                        95 % of ms  [0.00, 0.00]  -        [0.00, 0.00]
                        t(n)/t(1)   1.00          1.05     1.15
                        passes      84            2 (few)  28

                        diagnose
                        variant  formula  position-dependent alpha  rounds without a draft  verification rows  observe and commit  engine  prefill and sessions  median of prompts  speedup  most of all        best K
                        chain    2.08     x 1.05                    x 1.00                  x 0.90             x 1.00              x 1.00  x 1.00                x 1.01             = 1.97   verification rows  5

                        2 of 3 prompts, 2 repetitions.
                        left out of every variant: prompt 'text-3', because 'plain' failed: DATA_INVALID: the prompt is poisoned Take another.

                        variant            name in the configuration
                        drafter            what guesses
                        rule               what accepts
                        T                  sampling temperature; 0 is greedy
                        """);
    }

    @Test
    void onePromptInOneRepetitionHasNoInterval() throws IOException {
        Report report =
                run(
                        parsed(
                                FILE.replace("[ab, ba, fb]", "[ab]")
                                        .replace("repetitions: 2", "repetitions: 1")),
                        () -> false);

        assertThat(TextTable.of(report))
                .containsPattern("chain .* [0-9]\\.[0-9]{2} -  ")
                .contains("\nFewer than 6 independent prompts: ");
        var speedup = json("summary.json").get(1).get("speedup");
        assertThat(speedup.get("value").isNumber()).isTrue();
        assertThat(speedup.get("low").isNull()).isTrue();
        assertThat(speedup.get("high").isNull()).isTrue();
        assertThat(ResultReader.report(results.resolve("fake"))).isEqualTo(report);
        var csv = Csv.of(Table.of(VariantColumns.ALL, report.speculative()));
        assertThat(csv).contains("," + speedup.get("value") + ",,,");
    }

    @Test
    void severalKindsOfPromptsAreReportedApart() throws IOException {
        Path prompts = results.resolve("prompts.jsonl");
        Files.writeString(
                prompts,
                """
                {"kind": "copy", "prompt": "ab"}
                {"kind": "free", "prompt": "ba"}
                {"kind": "copy", "prompt": "bb"}
                """);
        Loaded<ExperimentConfig> loaded =
                parsed(FILE.replace("{texts: [ab, ba, fb]}", "{file: %s}".formatted(prompts)));

        Report report = run(loaded, () -> false);

        assertThat(report.kinds())
                .extracting(OfKind::kind, OfKind::prompts)
                .containsExactly(tuple("copy", 2), tuple("free", 1));
        assertThat(TextTable.of(report))
                .containsPattern(
                        "by kind \\(prompts\\): speedup, tokens/round\nvariant +copy \\(2\\) +free \\(1\\)\nchain +\\d");
        JsonNode kinds = json("details.json").get("kinds");
        assertThat(kinds).hasSize(2);
        double together =
                report.kinds().get(0).variants().getFirst().tokensPerRound() * 2
                        + report.kinds().get(1).variants().getFirst().tokensPerRound();
        assertThat(together / 3).isCloseTo(report.variants().get(1).tokensPerRound(), within(0.2));
        assertThat(run(() -> false).kinds()).describedAs("one kind is not a table").isEmpty();
    }

    @Test
    void evidenceStandsBesideTheSpeedup() throws IOException {
        var test =
                new DistributionTest(
                        "first tokens", 500, 20, 30, .05, .1, 0, .2, .1, .3, .4, false);
        var evidence =
                new Evidence("not rejected", "why", .001, List.of(test), 0, .9, Optional.empty());
        var sampled = run(loaded(), () -> false, Map.of("chain", evidence));

        assertThat(sampled.speculative().getFirst().exactness().evidence()).contains(evidence);
        assertThat(json("summary.json").get(1).get("evidence").get("verdict").asText())
                .isEqualTo("not rejected");
        assertThat(TextTable.of(sampled))
                .contains("\nevidence\nvariant  drafter  rule    T     test          n    cells  p")
                .contains("chain    table    greedy  0.00  first tokens  500  20     0.050")
                .describedAs("greedy output has no sampling to name")
                .doesNotContain("sampling with");
    }

    @Test
    void anInterruptedRunIsSummarisedAndSaysSo() throws IOException {
        var rounds = new AtomicInteger();
        Report report = run(() -> rounds.incrementAndGet() > 100);
        assertThat(report.coverage().interrupted()).isTrue();
        assertThat(json("summary.json")).hasSize(2);
        assertThat(TextTable.of(report))
                .containsPattern(
                        "interrupted after \\d+ generations: what was measured until then\\.");
    }

    @Test
    void aRunThatMeasuredNothingLeavesAnEmptySummary() throws IOException {
        Report report = run(() -> true);
        assertThat(json("summary.json")).isEmpty();
        assertThat(TextTable.of(report)).contains("0 of 3 prompts, 2 repetitions, interrupted");
    }

    @Test
    void provenanceTellsWhereNumbersComeFrom() throws IOException {
        run(() -> false);
        JsonNode provenance = json("provenance.json");
        assertThat(provenance.get("configHash").asText())
                .isEqualTo(loaded().effective().configHash());
        assertThat(provenance.get("models").get("target table").asText()).isEqualTo("00");
        assertThat(provenance.fieldNames())
                .toIterable()
                .containsExactly(
                        "startedAt",
                        "git",
                        "configHash",
                        "models",
                        "revisions",
                        "machine",
                        "seed",
                        "warmup",
                        "repetitions",
                        "prompts",
                        "timed",
                        "sources");
    }

    @Test
    void explainsAFolderThatCannotBeWritten() throws IOException {
        Path file = Files.writeString(results.resolve("taken"), "x");
        Loaded<ExperimentConfig> loaded = loaded();
        assertThatThrownBy(() -> ResultFolder.open(file.resolve("fake"), loaded.effective()))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "RESULTS_NOT_WRITABLE: results cannot be written to '"
                                + file.resolve("fake")
                                + "': ")
                .hasMessageEndingWith(
                        "\n  Check that there is space and that the folder may be written to, or choose another one for results.");
    }

    @Test
    void refusesAFolderThatAnotherRunIsWriting() {
        Loaded<ExperimentConfig> loaded = loaded();
        try (var first = open(loaded)) {
            assertThatThrownBy(() -> open(loaded))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            RESULTS_NOT_WRITABLE: another run is writing its results to '%s'
                              Wait until it has ended, or choose another folder for results.\
                            """
                                    .formatted(first.directory()));
        }
        open(loaded).close();
    }

    @Test
    void earlierResultsStayWhenARunEndsBeforeItHasMeasuredAnything() throws IOException {
        run(() -> false);
        Path directory = results.resolve("fake");
        String summary = Files.readString(directory.resolve("summary.json"));
        String rounds = Files.readString(directory.resolve("rounds.jsonl"));

        open(loaded()).close();

        assertThat(directory.resolve("summary.json")).hasContent(summary);
        assertThat(directory.resolve("rounds.jsonl")).hasContent(rounds);
    }

    @Test
    void earlierRecordingsAndTablesDoNotStayBesideNewRounds() throws IOException {
        run(() -> false);
        Path directory = results.resolve("fake");
        Path recording = Files.createDirectories(directory.resolve("recording"));
        var stale =
                List.of(
                        recording.resolve("recording.json"),
                        directory.resolve("rounds.parquet"),
                        directory.resolve("generations.parquet"),
                        directory.resolve("prompts.parquet"));
        for (var file : stale) {
            Files.writeString(file, "earlier");
        }

        run(() -> false);

        assertThat(stale).noneMatch(Files::exists);
    }

    @Test
    void knowsTheRevisionOfACheckoutAndThatThereIsNone() {
        GitState none = GitState.of(results);
        assertThat(none).isEqualTo(new GitState("unknown", false));
    }

    private ResultFolder open(Loaded<ExperimentConfig> loaded) {
        return ResultFolder.open(results.resolve(loaded.config().name()), loaded.effective())
                .describe(provenance(loaded));
    }

    private Report run(BooleanSupplier cancelled) {
        return run(loaded(), cancelled);
    }

    private Report run(Loaded<ExperimentConfig> loaded, BooleanSupplier cancelled) {
        return run(loaded, cancelled, Map.of());
    }

    private Report run(
            Loaded<ExperimentConfig> loaded,
            BooleanSupplier cancelled,
            Map<String, Evidence> evidence) {
        try (var loadedExperiment = LoadedExperiment.load(loaded.config(), clock, false);
                var folder = open(loaded)) {
            ComparisonResult result =
                    new Comparison(loadedExperiment.plan(loaded.config()), clock, folder, cancelled)
                            .run();
            Report report =
                    Report.of(
                            loaded.config().question(),
                            Optional.empty(),
                            result,
                            evidence,
                            Optional.empty());
            folder.write(report);
            return report;
        }
    }

    private Loaded<ExperimentConfig> loaded() {
        return parsed(FILE);
    }

    private Loaded<ExperimentConfig> parsed(String yaml) {
        return new ConfigLoader(TablePlugin.installed(clock), Path.of("/"))
                .parse(yaml, "fake.yaml", Path.of("/"), ExperimentConfig.class, List.of());
    }

    private static Provenance provenance(Loaded<ExperimentConfig> loaded) {
        var models = new TreeMap<String, String>();
        models.put("target table", "00");
        return new Provenance(
                "2026-01-01T00:00:00Z",
                new Provenance.GitState("abc", true),
                loaded.effective().configHash(),
                models,
                Optional.empty(),
                new Provenance.Machine("test", new TreeMap<>(), "test", 1),
                0,
                1,
                2,
                3,
                Provenance.WHOLE_GENERATION,
                Optional.empty());
    }

    private static List<String> files(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private JsonNode json(String name) throws IOException {
        return new ObjectMapper().readTree(results.resolve("fake").resolve(name).toFile());
    }
}
