package dev.outrider.cli;

import static dev.outrider.cli.Shipped.QUICKSTART;
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

/// A listener, a draft-length policy and a logits processor from a real jar, in real runs.
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
        var diary = Files.readString(results.resolve("quickstart/latest/diary.txt"));
        var names = rounds("side");
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
                                + "  Report it to whoever wrote it, or leave it out of 'listeners'.\n");
        try (var runs = Files.list(results.resolve("quickstart"))) {
            var left = runs.toList();
            assertThat(left).hasSize(1);
            assertThat(left.getFirst().resolve("diary.txt")).content().endsWith("closed\n");
            assertThat(left.getFirst().resolve("summary.json")).doesNotExist();
        }
    }

    @Test
    void processedLogitsAreTheTargetsOnEverySide() throws IOException {
        var run = bench("processors=[{use: no-repeat, tokens: 3}]", "listeners=[diary]");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(results.resolve("quickstart/latest/details.json"))
                .content()
                .contains("\"mismatches\" : [ ]");
        assertThat(results.resolve("quickstart/latest/config.yaml")).content().contains("no-repeat");
        for (var sequence :
                Files.readString(results.resolve("quickstart/latest/diary.txt"))
                        .split("[a-z]\\d*, ", -1)) {
            var tokens =
                    TOKENS.matcher(sequence)
                            .results()
                            .flatMap(round -> Stream.of(round.group(1).split(", ")))
                            .toList();
            for (int at = 1; at < tokens.size(); at++) {
                assertThat(tokens.subList(Math.max(0, at - 3), at)).doesNotContain(tokens.get(at));
            }
        }
    }

    @Test
    void verificationComparesWithTheProcessedDistribution() {
        var run =
                Run.withPlugins(
                        plugins,
                        "verify-exactness",
                        QUICKSTART,
                        "--seconds=4",
                        "--set",
                        "processors=[no-repeat]",
                        "--set",
                        "sampling.temperature=1",
                        "--set",
                        "prompts.limit=2");

        assertThat(run.out()).doesNotContain("REJECTED");
        assertThat(run.exitCode()).as(run.err() + run.out()).isNotEqualTo(ExitCode.REJECTED);
    }

    private Run bench(String... settings) {
        var arguments =
                new ArrayList<>(
                        List.of("bench", QUICKSTART, "--check", "--out", results.toString()));
        var all =
                new ArrayList<>(
                        List.of(
                                "prompts.limit=1",
                                "maxTokens=12",
                                "repetitions=2",
                                "warmup=1",
                                "evidenceSeconds=0"));
        all.addAll(List.of(settings));
        all.forEach(each -> arguments.addAll(List.of("--set", each)));
        return Run.withPlugins(plugins, arguments.toArray(String[]::new));
    }

    private List<String> rounds(String key) throws IOException {
        return lines("rounds.jsonl").stream().map(line -> line.get(key).asText()).toList();
    }

    private List<JsonNode> lines(String file) throws IOException {
        var lines = new ArrayList<JsonNode>();
        for (var line : Files.readAllLines(results.resolve("quickstart/latest").resolve(file))) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }
}
