package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.experiment.recording.RecordingFiles;
import dev.outrider.parquet.Column;
import dev.outrider.parquet.Table;
import dev.outrider.parquet.TableWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the command `lab` on a recorded run of the tiny models: the questions it answers, the questions it says it cannot answer,
/// and how it treats damaged recordings.
class LabCommandTest extends RecordedRun {
    @TempDir private Path folder;

    @Nested
    class OfAnotherEngine extends ForeignRounds {}

    @Test
    void answersForEveryRuleLengthAndTreeAtTheRunsOwnCosts() throws IOException {
        var run = Run.of("lab", results().toString(), "--json");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        var drawn = JSON.readTree(run.out()).at("/variants/0");
        assertThat(drawn.at("/variant").asText()).isEqualTo("drawn");
        // Three rules and the most probable chain at lengths 1 to 3, a tree and its bound; one of
        // the trees is too deep for the other tree.
        assertThat(drawn.at("/answers")).hasSize(4 * 3 + 2 * 2);
        double token = rate(drawn, "drawn chain", "token", 3);
        double block = rate(drawn, "drawn chain", "block", 3);
        double match = rate(drawn, "drawn chain", "sample-and-match", 3);
        assertThat(token).isGreaterThan(match);
        assertThat(block).isGreaterThanOrEqualTo(token);
        assertThat(rate(drawn, "drawn chain", "token", 1)).isBetween(1.0, 2.0).isLessThan(token);
        for (var answer : drawn.at("/answers")) {
            assertThat(answer.at("/speedup/value").asDouble()).isPositive();
            assertThat(answer.at("/speedup/low").asDouble())
                    .isLessThanOrEqualTo(answer.at("/speedup/value").asDouble());
        }
        assertThat(answer(drawn, "drawn chain", "token", 3).at("/passes").asText())
                .isNotEqualTo("BEYOND");
        // Padded passes have up to four times the rows of the longest chain, and the longest chain
        // is a looked-up chain.
        assertThat(passes(drawn, "4,2,1")).isEqualTo("BETWEEN");
        var wide = JSON.readTree(lab("--tree", "9,9,9", "--json").out()).at("/variants/0");
        assertThat(passes(wide, "9,9,9")).isEqualTo("BEYOND");
        assertThat(drawn.at("/limits/0/what").asText()).isEqualTo("nothing");
        assertThat(drawn.at("/limits/1/speedup").asDouble())
                .isGreaterThanOrEqualTo(drawn.at("/limits/2/speedup").asDouble());
    }

    private static String passes(JsonNode variant, String tree) {
        return answer(variant, "drawn tree " + tree, "no rule keeps more", 3)
                .at("/passes")
                .asText();
    }

    /// Every length was timed often enough for a median, so that no time is estimated from a few passes.
    @Test
    void everyLengthUpToTheRecordedOneWasTimed() throws IOException {
        var times =
                Table.read(
                        results().resolve("latest/recording/times.parquet"),
                        List.of(
                                new Column("nodes", Column.Type.INT),
                                new Column("score_nanos", Column.Type.LONG)));
        for (int nodes = 0; nodes <= 3; nodes++) {
            int wanted = nodes;
            assertThat(Arrays.stream(times.ints("nodes")).filter(each -> each == wanted).count())
                    .isGreaterThanOrEqualTo(6);
        }
        // The same holds for trees, with up to four times the rows of the longest chain.
        assertThat(Arrays.stream(times.ints("nodes")).max().orElseThrow())
                .isGreaterThanOrEqualTo(4 * 4 - 1);
        assertThat(Arrays.stream(times.longs("score_nanos")).min().orElseThrow()).isPositive();

        var curve =
                JSON.readTree(Run.of("lab", results().toString(), "--json").out()).at("/costCurve");
        // On a busy machine, results with too large an error are left out, but plain passes never
        // are.
        assertThat(curve.has("1")).isTrue();
        double before = 0;
        for (var point : curve) {
            assertThat(point.at("/nanos").asDouble()).isPositive().isGreaterThanOrEqualTo(before);
            assertThat(point.at("/low").asDouble())
                    .isLessThanOrEqualTo(point.at("/high").asDouble());
            before = point.at("/nanos").asDouble();
        }
    }

    @Test
    void typedCostsMakeTheSpeedupArithmetic() throws IOException {
        var costs =
                Files.writeString(
                        folder.resolve("costs.yaml"),
                        """
                        target: {rows: [1, 4], millis: [10, 10]}
                        drafters: [{name: small-model, step: 0}]
                        engine: 0
                        """);

        var run = Run.of("lab", results().toString(), "--json", "--costs-of", costs.toString());

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        for (var answer : JSON.readTree(run.out()).at("/variants/0/answers")) {
            if (!answer.at("/passes").asText().equals("BEYOND")) {
                assertThat(answer.at("/speedup/value").asDouble())
                        .as("the median over texts is near the mean")
                        .isCloseTo(answer.at("/tokensPerRound/value").asDouble(), within(.5));
            }
        }
        var drawn = JSON.readTree(run.out()).at("/variants/0");
        assertThat(drawn.at("/limits/0/speedup").asDouble()).isCloseTo(most(drawn), within(1e-9));
    }

    private static double most(JsonNode variant) {
        return StreamSupport.stream(variant.at("/answers").spliterator(), false)
                .filter(answer -> !answer.at("/bound").asBoolean())
                .filter(answer -> !answer.at("/passes").asText().equals("BEYOND"))
                .mapToDouble(answer -> answer.at("/speedup/value").asDouble())
                .max()
                .orElseThrow();
    }

    @Test
    void aPersonReadsHeadroomLimitsAndHowTimesAreKnown() {
        var run = Run.of("lab", results().toString());

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern("position +reached +kept if there +block +coupling")
                .containsPattern("what +ideal +if ideal")
                .containsPattern("drafter +every guess right +\\d")
                .containsPattern("t\\(n\\): 1: \\d\\.\\d+ ms \\[")
                .contains("most there: ", "drawn tree 4,2,1", " beyond");
    }

    /// A recorded run ends with a report of the questions it answers; the next report leaves out a recording that was damaged.
    @Test
    void theReportHasALaboratory() throws IOException {
        var page = Files.readString(results().resolve("latest/report.html"));
        assertThat(page)
                .contains(
                        "id=\"laboratory\"",
                        "Headroom by position",
                        "What limits it most is the ",
                        "Most there: ");
        assertThat(results().resolve("latest/report/headroom.svg")).exists();
        var answers = JSON.readTree(results().resolve("latest/report/laboratory.json").toFile());
        assertThat(answers.at("/variants/0/positions")).hasSize(3);

        var copy = copy();
        Files.write(copy.resolve("recording/drafts.parquet"), new byte[9]);
        var run = Run.of("report", copy.toString());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(copy.resolve("report.html"))
                .content()
                .contains("the recording is left out: ", "drafts.parquet")
                .doesNotContain("id=\"laboratory\"");
        assertThat(copy.resolve("report/laboratory.json")).doesNotExist();
    }

    @Test
    void whatIsTooDeepIsNamedWithTheRunThatAnswers() {
        var run = Run.of("lab", results().toString(), "--length", "2,9", "--tree", "2,2,2,2");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern("drawn chain +token +2 ")
                .doesNotContain("2,2,2,2, ")
                .containsPattern(
                        "not answered: drafts deeper than 3, .* 'outrider bench .*/config.yaml --record'");
    }

    @Test
    void rulesThatDoNotFollowAreNamedWithTheRunThatAnswers() {
        var run = Run.of("lab", results().toString(), "--rule", "traversal,gumbel-coupled");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern("drawn chain +block +3 ")
                .doesNotContainPattern("drawn chain +token")
                .containsPattern(
                        "not answered: the rule 'gumbel-coupled': .* of a variant with that rule");
    }

    @Test
    void unknownRulesLengthsAndTreesAreRefused() {
        assertThat(lab("--rule", "trversal").err())
                .startsWith("UNKNOWN_COMPONENT: there is no acceptance rule 'trversal'")
                .contains("Did you mean 'traversal'?");
        assertThat(lab("--length", "0").err())
                .startsWith("USAGE: --length is 0")
                .contains("Give numbers from 1 to 64");
        assertThat(lab("--tree", "4,x").err()).startsWith("USAGE: --tree is '4,x'");
        assertThat(lab("--tree", "99999999,99999999").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aFolderWithoutARecordingSaysHowToMakeOne() throws IOException {
        var copy = copy();
        Files.delete(copy.resolve("recording/recording.json"));

        var run = Run.of("lab", copy.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .startsWith(
                        "DATA_INVALID: '%s' holds no recording: there is no recording/recording.json in it"
                                .formatted(copy.toRealPath()))
                .contains("Run 'outrider bench CONFIG --record'");
        var nothing = Run.of("lab", folder.resolve("nowhere").toString());
        assertThat(nothing.err()).startsWith("DATA_INVALID: ").contains("holds no results");
    }

    @Test
    void filesThatAreCutOrOfAnotherShapeAreNamed() throws IOException {
        var copy = copy();
        Path levels = copy.resolve("recording/levels.parquet");
        byte[] whole = Files.readAllBytes(levels);
        Files.write(levels, Arrays.copyOf(whole, whole.length / 2));
        assertBroken(copy, "levels.parquet' cannot be read as a part of a recording: ");

        Files.write(levels, new byte[0]);
        assertBroken(copy, "levels.parquet' cannot be read as a part of a recording: ");

        try (var other =
                new TableWriter(
                        levels, List.of(new Column("variant", Column.Type.INT)), Map.of())) {
            other.row(1);
        }
        assertBroken(copy, "its column 'variant' is of type INT32, expected required BYTE_ARRAY");

        Files.write(levels, whole);
        Path rounds = copy.resolve("rounds.jsonl");
        byte[] right = Files.readAllBytes(rounds);
        Files.write(rounds, new byte[7]);
        assertBroken(copy, "' has no rounds.jsonl with rounds");
        Files.delete(rounds);
        assertBroken(copy, "' has no rounds.jsonl with rounds");
        Files.write(rounds, right);

        Path times = copy.resolve("recording/times.parquet");
        Files.write(times, Arrays.copyOf(whole, 100));
        assertBroken(copy, "times.parquet' cannot be read as a part of a recording: ");
        Files.delete(times);
        assertThat(Run.of("lab", copy.toString()).exitCode()).isEqualTo(ExitCode.OK);

        Path manifest = copy.resolve("recording/recording.json");
        String json = Files.readString(manifest);
        Files.writeString(manifest, json.replaceFirst("\"format\" ?: ?\\d+", "\"format\": 99"));
        assertBroken(
                copy, "is of format 99, which another version of Outrider wrote; expected format");
        // Its rounds still say how much time it took.
        var other = lab("--costs-of", copy.toString());
        assertThat(other.exitCode()).as(other.err()).isEqualTo(ExitCode.OK);
        Files.writeString(manifest, json.substring(0, json.length() / 2));
        assertBroken(copy, "recording.json' cannot be read as results: ");
    }

    /// Values that no run writes: more nodes than any draft has, a number that is not a probability, too many levels, and another
    /// text.
    @Test
    void valuesThatNoRunWritesAreNamedByFileAndRow() throws IOException {
        var copy = copy();
        levels(copy, 1, Integer.MAX_VALUE, .5);
        assertBroken(
                copy,
                "levels.parquet': row 1 has p 0.5, q 0.5, overlap 0.5, rank 0, width 2147483647");
        levels(copy, 1, 1, Double.NaN);
        assertBroken(copy, "levels.parquet': row 1 has p NaN");
        levels(copy, 5000, 1, .5);
        assertBroken(copy, "drafts.parquet': row 1 has a draft of depth 5000, expected 0 to 4096");
        levels(copy, 4, 1, .5);
        assertBroken(copy, "drafts.parquet': there is no draft of 'drawn' at position ");
        draft(copy, 5);
        assertBroken(
                copy,
                "drafts.parquet': row 1 has a draft of depth 5; the drafts so far need 5 rows of levels.parquet, which has 4");
        draft(copy, 3);
        assertBroken(copy, "levels.parquet': 4 rows, expected the 3 that the drafts need");
    }

    /// Writes a draft with so many levels.
    private static void levels(Path copy, int depth, int width, double p) throws IOException {
        draft(copy, depth);
        try (var levels =
                new TableWriter(
                        copy.resolve("recording/levels.parquet"),
                        RecordingFiles.LEVEL_COLUMNS,
                        Map.of())) {
            for (int level = 1; level <= depth; level++) {
                levels.row("drawn", 0, 0, level, width, p, .5, 0, .5);
            }
        }
    }

    private static void draft(Path copy, int depth) throws IOException {
        try (var drafts =
                new TableWriter(
                        copy.resolve("recording/drafts.parquet"),
                        RecordingFiles.DRAFT_COLUMNS,
                        Map.of())) {
            drafts.row("drawn", 0, 0, depth, "independent");
        }
    }

    private static void assertBroken(Path copy, String problem) {
        var run = Run.of("lab", copy.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("DATA_INVALID: ").contains(problem);
        assertThat(run.err().lines().count()).isGreaterThan(1);
    }

    private Path copy() throws IOException {
        Path from = results().resolve("latest").toRealPath();
        Path to = folder.resolve("copy");
        try (var files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(java.util.Objects.requireNonNull(target.getParent()));
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return to;
    }

    private static double rate(JsonNode variant, String draft, String rule, int length) {
        return answer(variant, draft, rule, length).at("/tokensPerRound/value").asDouble();
    }
}
