package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.common.ProcessLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands `sweep` and `run-cell`, on the shipped models.
class SweepCommandTest {
    private static final Path ROOT =
            Path.of(System.getProperty("outrider.root", "../..")).toAbsolutePath().normalize();
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path folder;
    private Path config = Path.of("");

    @BeforeEach
    void writeTheConfiguration() throws IOException {
        config =
                Files.writeString(
                        folder.resolve("small.yaml"),
                        """
                        name: small
                        question: Does it run?
                        target: {use: vector, path: %1$s/models/tiny-target}
                        prompts: {texts: [The, Once]}
                        maxTokens: 6
                        warmup: 0
                        repetitions: 1
                        exactnessTestSeconds: 0
                        variants:
                          - name: chain
                            drafter: {use: small-model, path: %1$s/models/tiny-draft}
                        sweep:
                          axes:
                            variants[0].drafter.length: [1, 2]
                            variants[0].rule: [token, {use: lenience, factor: 0.5}]
                            sampling.temperature: [0, 1]
                          exclude:
                            - {sampling.temperature: 0, "variants[0].drafter.length": 1}
                        """
                                .formatted(ROOT.toString().replace('\\', '/')));
    }

    @Test
    void aDryRunShowsCellsRefusalsAndTheTime() {
        var run = sweep("--dry-run");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern("(?m)^0000-[0-9a-f]{12}  variants\\[0]\\.drafter\\.length=1 ")
                .containsPattern(
                        "(?m)^refused variants\\[0]\\.drafter\\.length=1 variants\\[0]\\.rule=\\{use: lenience, factor: 0\\.5}"
                                + " sampling\\.temperature=1: LOSSY_NOT_ALLOWED: ")
                .containsPattern(
                        "\\n[0-9]+ cells, [0-9]+ refused, 2 excluded\\. Plan [0-9a-f]{64}\\.\\n")
                .containsPattern("At most about [0-9]+ s on this machine");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void runsEveryCellThenNothingAndMergesTheSame() throws IOException {
        var first = sweep();
        assertThat(first.exitCode()).as(first.err()).isEqualTo(ExitCode.OK);
        assertThat(first.out()).contains("\nPage: " + folder.resolve("out/small/report.html"));
        assertThat(folder.resolve("out/small/report.html")).exists();
        assertThat(first.err()).containsPattern("\\[1/[0-9]] cell 0 .* left\\n");
        var summary = folder.resolve("out/small/sweep.json");
        var merged = JSON.readTree(summary.toFile());
        assertThat(merged.get("finished").asInt()).isEqualTo(merged.get("planned").asInt());
        assertThat(merged.get("refused")).isNotEmpty();
        var before = Files.readString(summary);

        var second = sweep();

        assertThat(second.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(second.err()).contains("[1/").contains("finished before").doesNotContain("left");
        assertThat(Files.readString(summary)).isEqualTo(before);
        assertThat(sweep("--merge").exitCode()).isEqualTo(ExitCode.OK);
        assertThat(Files.readString(summary)).isEqualTo(before);
    }

    @Test
    void aCellRunsByItsNumberAndOnceOnly() throws IOException {
        var emitted = sweep("--emit", "plan");
        assertThat(emitted.exitCode()).as(emitted.err()).isEqualTo(ExitCode.OK);
        var plan = folder.resolve("out/small/plan.json");

        var run = Run.of("run-cell", "--plan", plan.toString(), "--index", "1");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).containsPattern("^cell 1 .*: [0-9]+ s, chain [0-9.]+x\\n$");
        assertThat(Run.of("run-cell", "--plan", plan.toString(), "--index", "1").out())
                .endsWith(": finished before\n");

        var merge = sweep("--merge");
        assertThat(merge.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(merge.err()).contains("cells are not finished");
        assertThat(Run.of("run-cell", "--plan", plan.toString(), "--index", "99").exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aCellThatSomebodyElseRunsIsRefusedOrWaitedFor() throws Exception {
        var emitted = sweep("--emit", "plan");
        assertThat(emitted.exitCode()).as(emitted.err()).isEqualTo(ExitCode.OK);
        Path plan = Path.of(emitted.out().strip());
        assertThat(plan).isEqualTo(folder.resolve("out/small/plan.json"));
        String id = JSON.readTree(plan.toFile()).at("/cells/0/id").asText();
        Path claim = folder.resolve("out/small/cells").resolve(id).resolve(".claim");
        var command = List.of("run-cell", "--plan", plan.toString(), "--index", "0", "--wait");

        CompletableFuture<Run> waiting;
        try (var lock = ProcessLock.tryTake(claim).orElseThrow()) {
            assertThat(lock).isNotNull();
            var refused = Run.of(command.subList(0, 5).toArray(String[]::new));
            assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(refused.err())
                    .startsWith("RESULTS_NOT_WRITABLE: another process is running cell 0\n");
            var waits = new CountDownLatch(1);
            waiting =
                    CompletableFuture.supplyAsync(() ->
                            Run.watched(
                                    "1 of 1 cells are run by other processes; waiting for them",
                                    waits,
                                    command.toArray(String[]::new)));
            waits.await();
            assertThat(waiting).isNotDone();
        }

        var run = waiting.get(2, TimeUnit.MINUTES);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).containsPattern("^cell 0 .*: [0-9]+ s, chain [0-9.]+x\\n$");
    }

    @Test
    @Tag("nightly")
    void cellsRunInProcessesSideBySide() throws IOException {
        var run =
                sweep(
                        "--workers",
                        "2",
                        "--cell-limit",
                        "1h",
                        "--set",
                        "sweep.axes={sampling.temperature: [0, 1]}",
                        "--set",
                        "sweep.exclude=[]");

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
        var merged = JSON.readTree(folder.resolve("out/small/sweep.json").toFile());
        int planned = merged.get("planned").asInt();
        assertThat(merged.get("finished").asInt()).isEqualTo(planned);
        assertThat(run.err().lines().filter(line -> line.matches("\\[\\d+/\\d+] cell .*")).count())
                .isEqualTo(planned);
    }

    @Test
    void aLimitMustBeADuration() {
        for (var limit : List.of("5", "0s", "soon")) {
            var run = sweep("--cell-limit", limit);

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err())
                    .contains(
                            "'%s' is no duration longer than 0, such as 30s, 10m or 1h30m"
                                    .formatted(limit));
        }
    }

    @Test
    void aCellThatFailsGivesAnExitCodeOfItsOwn() {
        var run =
                sweep(
                        "--set",
                        "sweep.axes={prompts.texts: [[The], []]}",
                        "--set",
                        "sweep.exclude=[]");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.CELLS_FAILED);
        assertThat(run.out()).contains("1 of 2 cells finished, 1 failed").contains("DATA_INVALID");
        assertThat(run.err()).contains("FAILED, DATA_INVALID: there are no prompts");
    }

    @Test
    void benchSaysWhoRunsAxes() {
        var run = Run.of("bench", config.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo(
                        """
                        USAGE: '%s' has the key 'sweep': it is many experiments
                          Run it with 'outrider sweep'.
                        """
                                .formatted(config));
    }

    private Run sweep(String... more) {
        var command =
                new ArrayList<>(
                        List.of(
                                "sweep",
                                config.toString(),
                                "--out",
                                folder.resolve("out").toString()));
        command.addAll(List.of(more));
        return Run.of(command.toArray(String[]::new));
    }
}
