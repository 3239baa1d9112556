package dev.outrider.cli;

import static dev.outrider.cli.RecordedRun.JSON;
import static dev.outrider.cli.RecordedRun.answer;
import static dev.outrider.cli.RecordedRun.assertUsage;
import static dev.outrider.cli.RecordedRun.lab;
import static dev.outrider.cli.RecordedRun.results;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the command `lab --traces` beside the tests of a recorded run: the questions that rounds of another engine answer, and the
/// questions that it says they cannot answer.
abstract class ForeignRounds {
    @TempDir private Path folder;

    /// The test writes the run's own rounds as another engine would write them; the result equals the result of the run's
    /// recording.
    @Test
    void roundsOfAnotherEngineGiveWhatTheRecordingGives() throws IOException {
        var recording = JSON.readTree(lab("--json").out());
        for (int number = 0; number < 2; number++) {
            var recorded = recording.at("/variants/" + number);
            var name = recorded.at("/variant").asText();
            var run =
                    Run.of(
                            "lab",
                            "--traces",
                            traces(name).toString(),
                            "--costs-of",
                            results().toString(),
                            "--drafter",
                            name,
                            "--json");

            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
            var variant = JSON.readTree(run.out()).at("/variants/0");
            assertThat(variant.at("/variant").asText()).isEqualTo("rounds of another engine");
            assertThat(variant.at("/drafter").asText()).isEqualTo(name);
            assertThat(variant.at("/temperature").isNull()).isTrue();
            // No round that was looked up can have kept as many tokens.
            for (int length = 1; length <= (number == 0 ? 3 : 1); length++) {
                var own =
                        number == 0
                                ? answer(recorded, "drawn chain", "token", length)
                                : answer(recorded, "recorded chain", "greedy", length);
                var foreign = answer(variant, "chain", "its own", length);
                assertThat(foreign.at("/tokensPerRound/value").asDouble())
                        .as("%s, K = %d", name, length)
                        .isBetween(
                                own.at("/tokensPerRound/low").asDouble() - .1,
                                own.at("/tokensPerRound/high").asDouble() + .1);
                assertThat(foreign.at("/speedup/value").asDouble()).isPositive();
            }
        }
    }

    /// Writes the rounds of a variant in Spec-Bench's layout.
    private Path traces(String variant) throws IOException {
        var texts = new LinkedHashMap<String, List<Integer>>();
        for (var line : Files.readAllLines(results().resolve("latest/rounds.jsonl"))) {
            var round = JSON.readTree(line);
            if (round.at("/variant").asText().equals(variant)) {
                texts.computeIfAbsent(round.at("/prompt").asText(), _ -> new ArrayList<>())
                        .add(round.at("/round/emitted").asInt());
            }
        }
        var lines = new ArrayList<String>();
        texts.forEach((prompt, lengths) ->
                lines.add(
                        "{\"question_id\": \"%s\", \"choices\": [{\"new_tokens\": [%d], \"accept_lengths\": %s}]}"
                                .formatted(
                                        prompt,
                                        lengths.stream().mapToInt(Integer::intValue).sum(),
                                        lengths)));
        return Files.write(folder.resolve("traces.jsonl"), lines);
    }

    @Test
    void aPersonReadsWhatRoundsOfAnotherEngineAnswerAndWhatTheyDoNot() throws IOException {
        var run = foreign("--rule", "block", "--length", "2,9");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith("rounds of another engine: small-model, T not known; 4 texts, ")
                .containsPattern("chain +its own +2 ")
                .doesNotContainPattern("position +reached")
                .contains(
                        "not answered: drafts longer than 3, and other rules: no round says",
                        "costs: ");
        // The rows of a tree, of which no time was measured.
        assertThat(foreign("--tree", "2,2,1").out())
                .containsPattern("tree 2,2,1 +its own +3 .* beyond");
    }

    @Test
    void optionsThatDoNotFitRoundsOfAnotherEngineAreRefused() throws IOException {
        assertUsage(foreign("--tree", "2,2"), "--tree is [2,2], and rounds in '");
        assertUsage(foreign("--tree", "1,1,1", "--tree", "2,2,2"), "--tree is given 2 times");
        assertUsage(
                foreign("--drafter", "eagle"),
                "--drafter is eagle, and the costs have [small-model]");
        assertUsage(foreign(results().toString()), "both FOLDER and --traces");
        assertUsage(
                Run.of("lab", "--traces", traces("drawn").toString()),
                "--traces without --costs-of");
        assertUsage(Run.of("lab"), "FOLDER is missing");
        assertUsage(
                Run.of(
                        "lab",
                        "--traces",
                        traces("drawn").toString(),
                        "--costs-of",
                        results().toString()),
                "--drafter is missing, and the costs have [");
    }

    private Run foreign(String... options) throws IOException {
        var costs =
                Files.writeString(
                        folder.resolve("costs.yaml"),
                        "target: {rows: [1, 4], millis: [41.0, 46.5]}\ndrafters: [{name: small-model, step: 3.1}]\n");
        var command =
                new ArrayList<>(
                        List.of(
                                "lab",
                                "--traces",
                                traces("drawn").toString(),
                                "--costs-of",
                                costs.toString()));
        command.addAll(List.of(options));
        return Run.of(command.toArray(String[]::new));
    }
}
