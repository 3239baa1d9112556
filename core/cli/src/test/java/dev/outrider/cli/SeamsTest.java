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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests a listener, a draft-length policy and a logits processor from a real jar, in real runs.
class SeamsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TOKENS = Pattern.compile("\\[(\\d.*)\\]");

    @TempDir private Path plugins = Path.of("");
    @TempDir private Path results = Path.of("");

    @BeforeEach
    void install() throws IOException {
        SeamSources.jar().write(plugins.resolve("seams/seams.jar"));
    }

    @Test
    void listNamesEveryKind() {
        assertThat(Run.withPlugins(plugins, "plugins", "list").out())
                .contains(
                        "draftLength taking-turns         One token, then the most, in turns. [plugin 'seams']\n",
                        "processor   no-repeat            No token may follow one of the last ones of its own kind. [plugin 'seams']\n",
                        "listener    diary                Writes a line for every round. [plugin 'seams']\n",
                        "draftLength fixed                The same length every round.\n");
    }

    @Test
    void describeExplainsTheirKeys() {
        assertThat(Run.withPlugins(plugins, "plugins", "describe", "taking-turns").out())
                .isEqualTo(
                        """
                        draftLength taking-turns [plugin 'seams']
                          most (integer, default 3)  Greatest length.
                        """);
    }

    @Test
    void aListenerFollowsEveryMeasuredSequenceAndWritesIntoTheFolder() throws IOException {
        var run =
                bench("listeners=[diary]", "variants[0].draftLength={use: taking-turns, most: 2}");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        var diary = Files.readString(results.resolve("in-cache/latest/diary.txt"));
        var names = rounds("variant");
        assertThat(diary.lines().filter(line -> line.contains(" deep "))).hasSameSizeAs(names);
        assertThat(diary.lines().filter(line -> !line.startsWith(" "))).hasSize(2 * 4 + 1);
        assertThat(diary)
                .startsWith("plain, ")
                .contains("plain, ", "chain of 3, ", ", 1\n")
                .containsPattern(", 0\\n  1 deep \\[.*\\n  2 deep \\[.*\\n  1 deep ")
                .endsWith("closed\n");
    }

    @Test
    void aListenerThatFailsEndsTheRunAndIsClosed() throws IOException {
        var run = bench("listeners=[{use: diary, failsIn: 1}]");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .endsWith(
                        "PLUGIN_FAILED: listener 'diary' failed in onEvent: java.lang.IllegalStateException: no ink\n"
                                + "  Report it to its author, or leave it out of 'listeners'.\n");
        try (var runs = Files.list(results.resolve("in-cache"))) {
            var left = runs.toList();
            assertThat(left).hasSize(1);
            assertThat(left.getFirst().resolve("diary.txt")).content().endsWith("closed\n");
            assertThat(left.getFirst().resolve("summary.json")).doesNotExist();
        }
    }

    @Test
    void aListenerThatCannotWriteSaysSoItself() throws IOException {
        SeamSources.jarWith(
                        "throw new UncheckedIOException(e);",
                        "throw new OutriderException(ErrorCode.IO_FAILED, \"no paper\", \"Buy some.\");",
                        "folder.resolve(\"diary.txt\")",
                        "folder.resolve(\"no/diary.txt\")")
                .write(plugins.resolve("seams/seams.jar"));

        assertThat(bench("listeners=[diary]").err()).endsWith("IO_FAILED: no paper\n  Buy some.\n");
    }

    @Test
    void aFactoryThatFailsIsNamedWithItsPlugin() throws IOException {
        SeamSources.jarWith(
                        "public LogitsProcessor create(Config config, TargetModel target) {",
                        "public LogitsProcessor create(Config config, TargetModel target) { if (true) { throw new IllegalStateException(\"no grammar\"); }")
                .write(plugins.resolve("seams/seams.jar"));

        var run = bench("processors=[no-repeat]");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .isEqualTo(
                        "PLUGIN_FAILED: logits processor 'no-repeat' of plugin 'seams' failed in create: java.lang.IllegalStateException: no grammar\n"
                                + "  Report it to its author; --debug shows where it happened.\n");
    }

    @Test
    void checkExercisesEveryKind() {
        var run = Run.of("plugins", "check", plugins.resolve("seams").toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith(
                        "plugin 'seams' loads: 1 draft-length policy, 1 logits processor, 1 listener\n\ndraftLength taking-turns\n")
                .contains("  kept    every depth can be\n")
                .contains("\nprocessor no-repeat\n")
                .contains("  kept    draft tokens count as committed ones\n")
                .contains("\nlistener diary\n")
                .contains("  kept    a run is followed to its end\n")
                .doesNotContain("BROKEN")
                .doesNotContain("skipped");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void checkFindsAProcessorThatOverlooksTheDraft() throws IOException {
        SeamSources.jarWith(
                        "int token = back <= history.path().length",
                        "int token = back > 99",
                        "history.length() + history.path().length - back",
                        "history.length() - back")
                .write(plugins.resolve("seams/seams.jar"));

        var run = Run.of("plugins", "check", plugins.resolve("seams").toString());

        assertThat(run.out()).contains("  BROKEN  draft tokens count as committed ones\n");
        assertThat(run.exitCode()).isEqualTo(ExitCode.REJECTED);
    }

    @Test
    void processedLogitsAreTheTargetsOnEverySide() throws IOException {
        var run =
                bench(
                        "processors=[{use: no-repeat, tokens: 8}]",
                        "listeners=[diary]",
                        "maxTokens=48");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(results.resolve("in-cache/latest/details.json"))
                .content()
                .contains("\"mismatches\" : [ ]");
        assertThat(results.resolve("in-cache/latest/config.yaml")).content().contains("no-repeat");
        int seen = 0;
        for (var sequence :
                Files.readString(results.resolve("in-cache/latest/diary.txt"))
                        .split("(?m)^(?=\\S)", -1)) {
            var tokens =
                    TOKENS.matcher(sequence)
                            .results()
                            .flatMap(round -> Stream.of(round.group(1).split(", ")))
                            .toList();
            for (int at = 1; at < tokens.size(); at++) {
                assertThat(tokens.subList(Math.max(0, at - 8), at)).doesNotContain(tokens.get(at));
            }
            seen += tokens.size();
        }
        int emitted = 0;
        for (var line : lines("rounds.jsonl")) {
            emitted += line.get("round").get("emitted").asInt();
        }
        assertThat(seen).as("tokens of the diary").isEqualTo(emitted).isGreaterThan(4 * 12);
    }

    @Test
    void verificationComparesWithTheProcessedDistribution() {
        var run =
                Run.withPlugins(
                        plugins,
                        "verify-exactness",
                        "--config",
                        IN_CACHE,
                        "--samples=100",
                        "--tokens=400",
                        "--time=300",
                        "--set",
                        "target.path=" + Shipped.ROOT.resolve("models/tiny-target"),
                        "--set",
                        "variants=[{name: chain, drafter: {use: small-model, path: %s, length: 3}}]"
                                .formatted(Shipped.ROOT.resolve("models/tiny-draft")),
                        "--set",
                        "processors=[{use: no-repeat, tokens: 8}]",
                        "--set",
                        "sampling.temperature=1",
                        "--set",
                        "prompts.limit=2");

        assertThat(run.exitCode()).as(run.err() + run.out()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("first tokens").doesNotContain("REJECTED");
    }

    private Run bench(String... settings) {
        var arguments =
                new ArrayList<>(List.of("bench", IN_CACHE, "--check", "--out", results.toString()));
        var all =
                new ArrayList<>(
                        List.of(
                                "prompts.limit=1",
                                "maxTokens=12",
                                "repetitions=2",
                                "warmup=1",
                                "exactnessTestSeconds=0"));
        all.addAll(List.of(settings));
        all.forEach(each -> arguments.addAll(List.of("--set", each)));
        return Run.withPlugins(plugins, arguments.toArray(String[]::new));
    }

    private List<String> rounds(String key) throws IOException {
        return lines("rounds.jsonl").stream().map(line -> line.get(key).asText()).toList();
    }

    private List<JsonNode> lines(String file) throws IOException {
        var lines = new ArrayList<JsonNode>();
        for (var line : Files.readAllLines(results.resolve("in-cache/latest").resolve(file))) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }
}
