package dev.outrider.cli;

import static dev.outrider.cli.Shipped.IN_CACHE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `outrider bench` and `outrider report` on the shipped models.
class BenchCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path folder;

    @Test
    void comparesAndKeepsTheResults() throws IOException {
        var run =
                Run.of(
                        "bench",
                        IN_CACHE,
                        "--out",
                        folder.toString(),
                        "--check",
                        "--set",
                        "prompts.limit=2",
                        "--set",
                        "maxTokens=12",
                        "--set",
                        "repetitions=1",
                        "--set",
                        "warmup=0");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("plain ")
                .contains("chain of 3")
                .contains("tree 2-2-1")
                .contains("\nFewer than 6 independent prompts: ")
                .containsPattern("\nPage: .*/in-cache/[0-9]{8}T[0-9]{6}Z/report.html\n")
                .endsWith("/table.txt, printed with --details\n");
        assertThat(run.out().lines().count()).isLessThanOrEqualTo(25);
        var summary = JSON.readTree(folder.resolve("in-cache/latest/summary.json").toFile());
        assertThat(summary).hasSize(4);
        assertThat(summary.get(0).get("variant").asText()).isEqualTo("plain");
        for (int i = 1; i < 4; i++) {
            var variant = summary.get(i);
            assertThat(variant.get("losslessness").asText()).isEqualTo("greedy-equal");
            assertThat(variant.get("speedup").has("value")).isTrue();
        }
        assertThat(folder.resolve("in-cache/latest/details.json"))
                .content()
                .contains("\"mismatches\" : [ ]");
        var provenance = JSON.readTree(folder.resolve("in-cache/latest/provenance.json").toFile());
        assertThat(provenance.get("models").toString()).contains("target tiny-target");
        assertThat(Files.size(folder.resolve("in-cache/latest/rounds.jsonl"))).isPositive();
        var samples = JSON.readTree(folder.resolve("in-cache/latest/samples.json").toFile());
        assertThat(samples.get("variants")).hasSize(3);
        assertThat(samples.get("variants").get(0).get("rounds")).isNotEmpty();
        assertThat(folder.resolve("in-cache/latest/report.html")).content().contains("chain of 3");
        reportsAndRefuses(folder.resolve("in-cache/latest"));
        assertThat(Run.of("report", folder.resolve("in-cache").toString()).out())
                .isEqualTo(
                        folder.resolve("in-cache/latest").toRealPath().resolve("report.html")
                                + "\n");
    }

    @Test
    void keepsLogProbabilitiesOfWhatWasDrawn() throws IOException {
        var run =
                shortly(
                        "--set",
                        "sampling.temperature=0.5",
                        "--set",
                        "logprobs=2",
                        "--set",
                        "exactnessTestSeconds=0");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        var latest = folder.resolve("in-cache/latest");
        var written = Files.readAllLines(latest.resolve("generations.jsonl"));
        var scored = Files.readAllLines(latest.resolve("logprobs.jsonl"));
        assertThat(scored).hasSameSizeAs(written);
        for (int i = 0; i < scored.size(); i++) {
            var text = JSON.readTree(written.get(i));
            var line = JSON.readTree(scored.get(i));
            assertThat(line.get("variant")).isEqualTo(text.get("variant"));
            assertThat(line.get("digest")).isEqualTo(text.get("digest"));
            assertThat(line.get("logprobs").findValues("processedLogprob"))
                    .hasSameSizeAs(text.get("ids"))
                    .allMatch(each -> each.asDouble() <= 0);
            for (int at = 0; at < text.get("ids").size(); at++) {
                assertThat(line.at("/logprobs/" + at + "/id")).isEqualTo(text.at("/ids/" + at));
            }
            assertThat(line.at("/logprobs/0/top")).hasSize(2);
            assertThat(line.at("/promptLogprobs/0").isNull()).isTrue();
            assertThat(line.at("/promptLogprobs/1").has("processedLogprob")).isFalse();
        }
    }

    @Test
    void detailsAndOneJsonDocumentAreThereWhenAskedFor() throws IOException {
        var details = shortly("--details");
        assertThat(details.out())
                .contains("  expected  formula  ", "\nper position\n", "best K", "\nPage: ");

        var json = shortly("--json");
        var document = JSON.readTree(json.out());
        assertThat(JSON.readerFor(JsonNode.class).readValues(json.out()).readAll()).hasSize(1);
        assertThat(document.get("variants")).hasSize(4);
        assertThat(Path.of(document.get("page").asText())).exists();
        assertThat(Run.of("bench", IN_CACHE, "--json", "--details").exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void everyRunIsKeptUntilItIsToBeOverwritten() throws IOException {
        var first = ranShortly();
        var second = ranShortly();

        assertThat(second).isNotEqualTo(first);
        assertThat(first.resolve("summary.json")).exists();
        assertThat(folder.resolve("in-cache/latest").toRealPath()).isEqualTo(second);

        var stale = Files.writeString(second.resolve("report/stale.svg"), "");
        assertThat(ranShortly("--overwrite")).isEqualTo(second);
        assertThat(stale).doesNotExist();
        assertThat(first.resolve("summary.json")).exists();
    }

    @Test
    void whatCannotRunIsRefusedBeforeAnythingIsLoadedOrWritten() {
        var out = folder.resolve("out");
        var missing = bench(out, "target.path=nowhere", "prompts={file: none.jsonl}");
        var lossy = bench(out, "target.path=nowhere", "variants[1].rule={use: typical}");
        var shape =
                bench(
                        out,
                        "target.path=nowhere",
                        "sampling.temperature=1",
                        "variants[2].rule=token");

        var model = bench(out, "variants[1].drafter.path=nowhere");

        assertThat(model.err())
                .startsWith("CHECKPOINT_NOT_FOUND: there is no '")
                .contains("/nowhere' (--set variants[1].drafter.path=nowhere)\n");
        assertThat(missing.err())
                .startsWith("IO_FAILED: 2 mistakes:\n  IO_FAILED: prompt file '")
                .contains("no such file", "\n  CHECKPOINT_NOT_FOUND: there is no '");
        assertThat(lossy.err())
                .startsWith(
                        "LOSSY_NOT_ALLOWED: 2 mistakes:\n  LOSSY_NOT_ALLOWED: variants[1] 'chain of 5' (")
                .contains("/in-cache.yaml:17:5): ");
        assertThat(shape.err())
                .startsWith(
                        "CAPABILITY_MISSING: 2 mistakes:\n  CAPABILITY_MISSING: variants[2] 'tree 2-2-1' (")
                .contains("/in-cache.yaml:19:5): ");
        assertThat(out).doesNotExist();
    }

    @Test
    void pathsWithoutModelsAndHeadsOfOtherTargetsAreToldAtOnce() throws IOException {
        var run = bench("tiny-target", "tiny-draff", "nothing-like-it");

        assertThat(run.err())
                .startsWith(
                        "CHECKPOINT_NOT_FOUND: 2 mistakes:\n  CHECKPOINT_NOT_FOUND: there is no '")
                .containsPattern(
                        "/tiny-draff' \\(\\S*four.yaml:6:\\d+\\); did you mean 'tiny-draft' there\\?\n    Correct the path; ")
                .containsPattern(
                        "/nothing-like-it' \\(\\S*four.yaml:8:\\d+\\)\n    Correct the path; ")
                .endsWith("\n  Correct each as the line below it says.\n");
        assertThat(bench("tiny-target", "tiny-draft", "tiny-eagle3").err())
                .containsPattern("^[A-Z_]+: 2 mistakes:\n  [A-Z_]+: variant 'second': ")
                .containsPattern("\n  [A-Z_]+: variant 'fourth': ");
        assertThat(bench("tiny-tarket", "tiny-draff", "tiny-eagle3").err())
                .startsWith("CHECKPOINT_NOT_FOUND: 2 mistakes:\n")
                .contains("did you mean 'tiny-target' there?", "did you mean 'tiny-draft' there?");
    }

    /// Compares four drafters, of which the second and the fourth are heads of another target.
    private Run bench(String target, String first, String third) throws IOException {
        var file =
                Files.writeString(
                        folder.resolve("four.yaml"),
                        """
                        name: four
                        target: {use: vector, path: MODELS/%s}
                        prompts: {texts: [Once]}
                        maxTokens: 4
                        variants:
                          - {name: first, drafter: {use: small-model, path: MODELS/%s}}
                          - {name: second, drafter: {use: medusa, path: MODELS/demo-medusa}}
                          - {name: third, drafter: {use: eagle3, path: MODELS/%s}}
                          - {name: fourth, drafter: {use: mtp, path: MODELS/demo-mtp}}
                        """
                                .formatted(target, first, third)
                                .replace(
                                        "MODELS",
                                        Shipped.ROOT
                                                .resolve("models")
                                                .toAbsolutePath()
                                                .toString()));
        return Run.of("bench", file.toString(), "--out", folder.resolve("out").toString());
    }

    @Test
    void aGenerationThatWouldBeCutShortIsRefused() {
        var run = bench(folder.resolve("out"), "maxTokens=1020");

        assertThat(run.err())
                .startsWith("CONTEXT_EXCEEDED: prompt '")
                .contains("but target 'tiny-target' has 512");
    }

    private Path ranShortly(String... options) throws IOException {
        var run = shortly(options);
        return Path.of(run.out().replaceFirst("(?s).*\nPage: (.*)/report.html\n.*", "$1"))
                .toRealPath();
    }

    private Run shortly(String... options) {
        var arguments = new ArrayList<>(List.of("bench", IN_CACHE, "--out", folder.toString()));
        arguments.addAll(List.of(options));
        for (var setting : List.of("prompts.limit=1", "maxTokens=4", "repetitions=1", "warmup=0")) {
            arguments.addAll(List.of("--set", setting));
        }
        var run = Run.of(arguments.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        return run;
    }

    private static Run bench(Path out, String... settings) {
        var arguments = new ArrayList<>(List.of("bench", IN_CACHE, "--out", out.toString()));
        List.of(settings).forEach(each -> arguments.addAll(List.of("--set", each)));
        return Run.of(arguments.toArray(String[]::new));
    }

    private void reportsAndRefuses(Path results) {
        var again =
                Run.of("report", results.toString(), "--out", folder.resolve("again").toString());
        assertThat(again.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(again.out()).isEqualTo(folder.resolve("again/report.html") + "\n");
        assertThat(folder.resolve("again/report.html"))
                .hasSameTextualContentAs(results.resolve("report.html"));
        var twice = Run.of("report", results.toString(), results.toString());
        assertThat(twice.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(twice.err()).startsWith("DATA_INVALID: ").contains("are the same folder");
        var nothing = Run.of("report", folder.resolve("none").toString());
        assertThat(nothing.err()).startsWith("DATA_INVALID: ").contains("holds no results");
    }

    @Test
    void anInterruptedComparisonEndsAtOnceAndSaysSo() {
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("", interruption, "bench", IN_CACHE, "--out", folder.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.err()).isEqualTo("Interrupted before anything was measured.\n");
    }

    @Test
    void reportsEveryProblemOfAConfiguration() throws IOException {
        var file = Files.writeString(folder.resolve("bad.yaml"), "name: x\ntraget: 1\n");

        var run = Run.of("bench", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith("CONFIG_INVALID: ")
                .contains("bad.yaml:2:1")
                .contains("target");
    }
}
