package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.sweep.SweepFolder;
import dev.outrider.experiment.sweep.SweepPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A sweep survives two kinds of drafters that threads cannot contain: one that never returns, and one that ends the process. The
/// processes are real; the clock of the limit is the test's.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CellProcessesTest {
    @TempDir private Path folder;
    private Path plugins = Path.of("");
    private Path hanging = Path.of("");
    private Path config = Path.of("");
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void writeTheConfiguration() throws IOException {
        plugins = folder.resolve("plugins");
        hanging = folder.resolve("hanging");
        config =
                Files.writeString(
                        folder.resolve("echoes.yaml"),
                        """
                        name: echoes
                        question: Who comes back?
                        target: {use: vector, path: %s/models/tiny-target}
                        prompts: {texts: [The]}
                        maxTokens: 4
                        warmup: 0
                        repetitions: 1
                        exactnessTestSeconds: 0
                        variants:
                          - {name: echo, drafter: {use: echo}}
                        sweep:
                          axes: {"variants[0].drafter.length": [1, 2]}
                        """
                                .formatted(Shipped.ROOT.toString().replace('\\', '/')));
    }

    @Test
    void aCellThatHangsIsStoppedAndTheNextOneRuns() throws IOException {
        plugin(
                """
                while (length == 1) { new java.io.File(System.getProperty("hanging")).mkdir(); }
                """);

        run(Optional.of(Duration.ofMinutes(10)));

        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst())
                .startsWith("cell 0 variants[0].drafter.length=1: FAILED, CELL_STOPPED: ")
                .contains("cell 0 took longer than 10 min, so that its process was ended")
                .contains("Raise --cell-limit")
                .contains("outrider run-cell --plan ");
        assertThat(lines.getLast()).containsPattern("^cell 1 .*: [0-9]+ s, echo [0-9.]+x$");
        assertThatTheReportHasBoth();
    }

    @Test
    void aCellWhoseProcessEndsHasFailedAndTheNextOneRuns() throws IOException {
        plugin("if (length == 1) { Runtime.getRuntime().halt(9); }");

        run(Optional.empty());

        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst())
                .contains(
                        "FAILED, CELL_STOPPED: the process of cell 0 ended with exit code 9 before the cell did");
        assertThat(lines.getLast()).startsWith("cell 1 ");
        assertThatTheReportHasBoth();
    }

    private void plugin(String whenProposing) throws IOException {
        var first = "var tree = TokenTree.builder(root);";
        EchoSources.jarWith(first, whenProposing + first).write(plugins.resolve("echo/echo.jar"));
    }

    /// The clock stands still until a drafter hangs; then it is one hour later.
    private long nanos() {
        return Files.exists(hanging) ? Duration.ofHours(1).toNanos() : 0;
    }

    private void run(Optional<Duration> limit) {
        var emitted = sweep("--emit", "plan");
        assertThat(emitted.exitCode()).as(emitted.err()).isEqualTo(ExitCode.OK);
        var plan = Path.of(emitted.out().strip());
        var outrider = CellProcesses.likeThisOne();
        outrider.addAll(
                1,
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-Doutrider.plugins=" + plugins,
                        "-Dhanging=" + hanging));
        new CellProcesses(
                        SweepPlan.read(plan),
                        new SweepFolder(folder.resolve("out/echoes")),
                        new CellProcesses.Start(outrider, List.of(), limit),
                        this::nanos,
                        lines::add,
                        () -> false)
                .run(1);
    }

    private void assertThatTheReportHasBoth() {
        var merged = sweep("--merge");

        assertThat(merged.exitCode()).as(merged.err()).isEqualTo(ExitCode.CELLS_FAILED);
        assertThat(merged.out())
                .contains("1 of 2 cells finished, 1 failed")
                .contains("CELL_STOPPED");
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
        return Run.withPlugins(plugins, command.toArray(String[]::new));
    }
}
