package dev.outrider.experiment.results;

import dev.outrider.experiment.run.GenerationRecord.Line;
import dev.outrider.experiment.run.Samples;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds and reads results in a folder: those of one comparison, of a sweep, or of every comparison directly below it.
public final class ResultReader {
    private static final String SUMMARY = "summary.json";
    private static final String ROUNDS = "rounds.jsonl";
    private static final String DETAILS = "details.json";
    private static final String CELL = "cell.json";

    private ResultReader() {}

    /// Reads all results.
    ///
    /// @throws OutriderException DATA_INVALID if there is no result, or one is broken or unfinished
    public static Results read(Path folder) {
        Path place = run(folder);
        String name = name(place);
        if (Files.exists(place.resolve(SUMMARY))) {
            return new Results(
                    name, folder, List.of(cell(place, Map.of())), unfinished(real(folder)));
        }
        if (Files.isDirectory(place.resolve("cells"))) {
            return sweep(name, folder, place);
        }
        var cells =
                folders(place).stream()
                        .map(ResultReader::run)
                        .filter(each -> Files.exists(each.resolve(SUMMARY)))
                        .map(each -> cell(each, Map.of()))
                        .toList();
        if (cells.isEmpty()) {
            throw nothing(folder);
        }
        var gaps = folders(place).stream().flatMap(each -> unfinished(each).stream()).toList();
        return new Results(name, folder, cells, gaps);
    }

    /// Returns the folder of a comparison: the folder itself, or the newest run of an experiment.
    public static Path run(Path folder) {
        Path place = real(folder);
        return Files.exists(place.resolve(SUMMARY))
                ? place
                : new RunFolders(place).newest().orElse(place);
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            // A missing file is reported when it is read.
            return folder.toAbsolutePath().normalize();
        }
    }

    /// Returns a gap if the newest run of an experiment has no results.
    private static List<String> unfinished(Path experiment) {
        return new RunFolders(experiment)
                .unfinished().stream()
                        .map(run ->
                                "unfinished: %s/%s (no summary.json)"
                                        .formatted(name(run), run.getFileName()))
                        .toList();
    }

    /// Returns the name of a run, which is that of its experiment.
    private static String name(Path place) {
        Path named = RunFolders.isRun(place) ? place.resolveSibling("") : place;
        return Optional.ofNullable(named.getFileName()).map(Path::toString).orElse("results");
    }

    /// Reads `details.json` of a comparison.
    ///
    /// @param place that `outrider bench` wrote, or of a cell of a sweep
    /// @throws OutriderException DATA_INVALID, also if another version of Outrider wrote it in another shape
    public static Report report(Path place) {
        Path file = run(place).resolve(DETAILS);
        int format = Json.object(file, FormatFile.class).format().orElse(1);
        if (format != Report.FORMAT) {
            throw ErrorCode.DATA_INVALID.error(
                    "'%s' is of format %d, which another version of Outrider wrote; expected format %d"
                            .formatted(file, format, Report.FORMAT),
                    "Run the comparison again, or read it with the version that 'git' in provenance.json names.");
        }
        return Json.object(file, Report.class);
    }

    /// The measured generations of a cell; empty if an older version wrote it.
    ///
    /// @throws OutriderException DATA_INVALID
    public static List<Line> generations(Path cell) {
        return Json.lines(cell.resolve("generations.jsonl"), Line.class);
    }

    /// The measured rounds of a cell.
    ///
    /// @throws OutriderException DATA_INVALID
    public static List<RoundLine> rounds(Path cell) {
        return Json.lines(cell.resolve(ROUNDS), RoundLine.class);
    }

    /// The measured rounds of a comparison, at least one.
    ///
    /// @throws OutriderException DATA_INVALID, also if there are none
    public static List<RoundLine> requiredRounds(Path folder) {
        var rounds = rounds(folder);
        if (rounds.isEmpty()) {
            throw ErrorCode.DATA_INVALID.error(
                    "'%s' has no rounds.jsonl with rounds".formatted(folder),
                    "Run the comparison again.");
        }
        return rounds;
    }

    /// The content of `cell.json`.
    record CellFile(int index, Map<String, String> labels) {}

    /// The content of `failure.json`.
    record FailureFile(int index, Map<String, String> labels, String code, String message) {
        private String shown() {
            return "failed: %s (%s: %s)".formatted(ResultReader.labels(labels), code, message);
        }
    }

    /// The parts of `sweep.json` about cells without a result.
    record SweepFile(Optional<Integer> planned, Optional<List<RefusedFile>> refused) {}

    /// A combination that cannot be run.
    record RefusedFile(Map<String, String> labels, String reason) {}

    /// The shape of a report.
    record FormatFile(Optional<Integer> format) {}

    private record Placed(int index, Results.Cell cell) {}

    private static Results sweep(String name, Path folder, Path place) {
        var placed = new ArrayList<Placed>();
        var gaps = new ArrayList<String>();
        for (Path each : folders(place.resolve("cells"))) {
            Optional<CellFile> finished = Json.optional(each.resolve(CELL), CellFile.class);
            if (finished.isPresent()) {
                placed.add(new Placed(finished.get().index(), cell(each, finished.get().labels())));
                continue;
            }
            Json.optional(each.resolve("failure.json"), FailureFile.class)
                    .map(FailureFile::shown)
                    .ifPresent(gaps::add);
        }
        if (placed.isEmpty()) {
            throw nothing(folder);
        }
        var sweep = Json.optional(place.resolve("sweep.json"), SweepFile.class);
        int planned = sweep.flatMap(SweepFile::planned).orElse(0);
        if (planned > placed.size()) {
            gaps.addFirst("%d of %d cells have a result.".formatted(placed.size(), planned));
        }
        for (var refused : sweep.flatMap(SweepFile::refused).orElse(List.of())) {
            gaps.add("refused: %s (%s)".formatted(labels(refused.labels()), refused.reason()));
        }
        placed.sort(Comparator.comparingInt(Placed::index));
        return new Results(name, folder, placed.stream().map(Placed::cell).toList(), gaps);
    }

    private static String labels(Map<String, String> labels) {
        return String.join(
                ", ",
                labels.entrySet().stream()
                        .map(label -> label.getKey() + " " + label.getValue())
                        .toList());
    }

    private static Results.Cell cell(Path folder, Map<String, String> labels) {
        return new Results.Cell(
                name(folder),
                folder,
                labels,
                report(folder),
                Json.optional(folder.resolve("provenance.json"), Provenance.class),
                Json.optional(folder.resolve("samples.json"), Samples.class));
    }

    private static List<Path> folders(Path parent) {
        return RunFolders.in(parent).stream()
                .filter(each -> !String.valueOf(each.getFileName()).startsWith("."))
                .sorted()
                .toList();
    }

    private static OutriderException nothing(Path folder) {
        Path place = real(folder);
        if (RunFolders.isRun(place) || Files.exists(place.resolve(ROUNDS))) {
            return unfinishedRun(place);
        }
        return new RunFolders(place)
                .unfinished()
                .map(ResultReader::unfinishedRun)
                .orElseGet(() -> noResults(folder));
    }

    private static OutriderException unfinishedRun(Path run) {
        return ErrorCode.DATA_INVALID.error(
                "the run in '%s' is unfinished: there is no summary.json".formatted(run),
                "Wait if it goes on still, or run the experiment again. What it measured is in its rounds.jsonl and generations.jsonl.");
    }

    private static OutriderException noResults(Path folder) {
        return ErrorCode.DATA_INVALID.error(
                "'%s' holds no results: there is no summary.json in it, in cells/ or in a folder directly below"
                        .formatted(folder),
                "Name a folder that 'outrider bench' or 'outrider sweep' has written, such as results/quickstart.");
    }
}
