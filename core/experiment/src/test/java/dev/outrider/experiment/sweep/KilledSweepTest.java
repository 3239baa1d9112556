package dev.outrider.experiment.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Processes that run a sweep and are killed, as by `kill -9`.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class KilledSweepTest {
    private static final long PAUSE_NANOS = 100_000;

    @TempDir Path folder;
    private Path file = Path.of("");

    @BeforeEach
    void writeTheFile() throws IOException {
        file = Files.writeString(folder.resolve("tables.yaml"), TableSweep.FILE);
    }

    @Test
    @Tag("nightly")
    void whateverKillsItTheNextRunLosesNothingAndRepeatsNothing() throws Exception {
        var out = folder.resolve("killed");
        var plan = TableSweep.of(file, out).plan();
        var ids = plan.cells().stream().map(PlannedCell::id).toList();
        List<String> said = new ArrayList<>();

        // In the middle of a cell whose first rounds are on disk, directly at a cell's end, and
        // directly at a cell's beginning.
        said.addAll(runUntil(out, line -> line.equals("starting " + ids.get(1)), ids.get(1)));
        var survivors = finished(out);
        assertThat(survivors.keySet()).containsExactly(ids.get(0));
        assertThat(rounds(out, ids.get(1))).isNotEmpty();
        assertThat(out.resolve("tables/cells").resolve(ids.get(1)).resolve("cell.json"))
                .doesNotExist();
        said.addAll(runUntil(out, line -> line.equals("Finished " + ids.get(2)), ""));
        said.addAll(runUntil(out, line -> line.equals("starting " + ids.get(4)), ""));
        said.addAll(runUntil(out, _ -> false, ""));

        assertThat(said.stream().filter(line -> line.startsWith("Finished ")))
                .as("no cell was run to its end twice")
                .doesNotHaveDuplicates();
        assertThat(finished(out)).hasSize(6).containsAllEntriesOf(survivors);
        var undisturbed = folder.resolve("undisturbed");
        TableSweep.of(file, undisturbed).run((_, _) -> {});
        assertThat(contents(out)).isEqualTo(contents(undisturbed));
    }

    @Test
    void processesShareThePlanWithoutDoingAnythingTwice() throws Exception {
        var out = folder.resolve("shared");
        var first = start(out);
        var second = start(out);
        List<String> said = new ArrayList<>(lines(first));
        said.addAll(lines(second));

        assertThat(first.waitFor()).isZero();
        assertThat(second.waitFor()).isZero();
        assertThat(said.stream().filter(line -> line.startsWith("Finished ")))
                .hasSize(6)
                .doesNotHaveDuplicates();
        var plan = SweepPlan.read(TableSweep.of(file, out).folder().plan());
        TableSweep.of(file, out).merge(plan);
        var alone = folder.resolve("alone");
        TableSweep.of(file, alone).run((_, _) -> {});
        assertThat(contents(out)).isEqualTo(contents(alone));
    }

    /// Runs the sweep in a process and kills it when it prints the expected line and, if a cell is named, some of its rounds are on
    /// disk.
    private List<String> runUntil(Path out, Predicate<String> enough, String cell)
            throws IOException, InterruptedException {
        var process = start(out);
        List<String> said = new ArrayList<>();
        try (var reader = reader(process)) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                said.add(line);
                if (enough.test(line)) {
                    while (!cell.isEmpty() && rounds(out, cell).isEmpty()) {
                        // There is no event when another process has written a file.
                        Thread.sleep(1);
                    }
                    process.destroyForcibly();
                    break;
                }
            }
        } catch (IOException e) {
            assertThat(process.isAlive()).as("only a killed process breaks its stream").isFalse();
        }
        process.waitFor();
        return said;
    }

    private Process start(Path out) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TableSweep.class.getName(),
                        file.toString(),
                        out.toString(),
                        Long.toString(PAUSE_NANOS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static List<String> lines(Process process) throws IOException {
        try (var reader = reader(process)) {
            return reader.lines().toList();
        }
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static String rounds(Path out, String id) throws IOException {
        var file = out.resolve("tables/cells").resolve(id).resolve("rounds.jsonl");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /// Returns the time at which each finished cell was finished.
    private static Map<String, FileTime> finished(Path out) throws IOException {
        Map<String, FileTime> finished = new TreeMap<>();
        try (Stream<Path> cells = Files.list(out.resolve("tables/cells"))) {
            for (Path cell : cells.toList()) {
                if (Files.exists(cell.resolve("cell.json"))) {
                    finished.put(
                            Objects.toString(cell.getFileName()),
                            Files.getLastModifiedTime(cell.resolve("cell.json")));
                }
            }
        }
        return finished;
    }

    /// Returns every file except the locks, by its path.
    private static Map<String, String> contents(Path out) throws IOException {
        try (Stream<Path> files = Files.walk(out)) {
            return files.filter(Files::isRegularFile)
                    .filter(each -> !Objects.toString(each.getFileName()).startsWith("."))
                    .collect(
                            Collectors.toMap(
                                    each -> out.relativize(each).toString(),
                                    KilledSweepTest::content,
                                    (a, _) -> a,
                                    TreeMap::new));
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1); // not all are texts
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
