package dev.outrider.sweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plans of the shipped models on a Spark cluster of separate executors.
final class SparkSweepTest {
    private static final Path ROOT =
            Path.of(System.getProperty("outrider.root", "..")).toAbsolutePath().normalize();
    private static final String LAUNCHER = ROOT.resolve("outrider").toString();
    private static final int PATIENCE_SECONDS = 300;

    @TempDir private Path folder;

    private Path config = Path.of("");

    @BeforeEach
    void write() throws IOException {
        config =
                Files.writeString(
                        folder.resolve("small.yaml"),
                        """
                        name: small
                        target: {use: vector, path: %1$s/models/demo-target}
                        prompts: {texts: [The, Once]}
                        maxTokens: 6
                        warmup: 0
                        repetitions: 1
                        exactnessTestSeconds: 0
                        variants:
                          - name: chain
                            drafter: {use: small-model, path: %1$s/models/demo-draft}
                        sweep:
                          axes:
                            variants[0].drafter.length: [1, 2]
                            seed: [1, 2, 3]
                        """
                                .formatted(ROOT));
    }

    @Test
    void runsAPlanThoughAnExecutorIsKilledAndNothingTwice() throws Exception {
        Path plan =
                Path.of(outrider(0, "sweep", config, "--emit", "plan", "--out", folder).strip());
        var cluster = LocalCluster.laidOut();

        Process driver = submit(cluster, plan);
        killOneExecutor(driver);
        String first = finish(driver, 0);

        assertThat(first).contains("Lost executor", "6 cells, 0 failed.");
        assertThat(
                        first.lines()
                                .filter(line -> line.matches("\\[.*, executor \\d+] cell \\d .*"))
                                .map(line -> line.replaceAll(".*executor (\\d+)].*", "$1"))
                                .distinct()
                                .count())
                .isGreaterThan(1);
        outrider(0, "sweep", config, "--merge", "--out", folder);
        var before = contents(folder.resolve("small"));
        assertThat(before.keySet().stream().filter(name -> name.endsWith("cell.json"))).hasSize(6);

        String second = finish(submit(cluster, plan), 0);

        assertThat(second.lines().filter(line -> line.endsWith(": finished before"))).hasSize(6);
        outrider(0, "sweep", config, "--merge", "--out", folder);
        assertThat(contents(folder.resolve("small"))).isEqualTo(before);
    }

    @Test
    void aCellThatFailsDoesNotStopTheOthers() throws Exception {
        Path plan =
                Path.of(
                        outrider(
                                        0,
                                        "sweep",
                                        config,
                                        "--emit",
                                        "plan",
                                        "--out",
                                        folder,
                                        "--set",
                                        "sweep.axes={prompts.texts: [[], [The]]}")
                                .strip());

        String said = finish(submit(LocalCluster.laidOut(), plan), 4);

        assertThat(said)
                .contains("2 cells, 1 failed.", "DATA_INVALID: there are no prompts")
                .containsPattern("executor \\d+] cell 1 .*: [0-9]+ s, chain [0-9.]+x");
    }

    private Process submit(LocalCluster cluster, Path plan) throws IOException {
        return cluster.submit(
                folder.resolve("driver.log"), "--plan", plan.toString(), "--outrider", LAUNCHER);
    }

    /// Kills an executor while it runs a cell, with SIGKILL.
    private void killOneExecutor(Process driver) throws Exception {
        Optional<ProcessHandle> executor = Optional.empty();
        for (int i = 0; executor.isEmpty() && driver.isAlive() && i < 10 * PATIENCE_SECONDS; i++) {
            // Neither processes nor files notify a waiting thread.
            Thread.sleep(100);
            executor = someCellIsClaimed() ? LocalCluster.busyExecutor(driver) : Optional.empty();
        }
        assertThat(executor).as("an executor that runs a cell").isPresent();
        assertThat(executor.get().destroyForcibly()).isTrue();
    }

    private boolean someCellIsClaimed() throws IOException {
        Path cells = Files.createDirectories(folder.resolve("small/cells"));
        try (Stream<Path> all = Files.list(cells)) {
            return all.anyMatch(cell -> Files.exists(cell.resolve(".claim")));
        }
    }

    private String finish(Process driver, int exit) throws Exception {
        try {
            assertThat(driver.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            driver.descendants().forEach(ProcessHandle::destroyForcibly);
            driver.destroyForcibly();
        }
        String log = Files.readString(folder.resolve("driver.log"));
        assertThat(driver.exitValue()).as(log).isEqualTo(exit);
        return log;
    }

    private String outrider(int exit, Object... arguments) throws Exception {
        var command = new ArrayList<>(List.of(LAUNCHER));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Path out = folder.resolve("outrider.out");
        Path err = folder.resolve("outrider.err");
        var builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().put("OUTRIDER_NO_BUILD", "1");
        Process process = builder.start();
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(out) + Files.readString(err))
                .isEqualTo(exit);
        return Files.readString(out);
    }

    private static SortedMap<String, String> contents(Path folder) throws IOException {
        var contents = new TreeMap<String, String>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(folder.relativize(file).toString(), Files.readString(file));
            }
        }
        return contents;
    }
}
