package dev.outrider.experiment.lab;

import dev.outrider.common.FailureReason;
import dev.outrider.experiment.recording.Manifest;
import dev.outrider.experiment.recording.RecordingFiles;
import dev.outrider.experiment.report.read.JsonFiles;
import dev.outrider.parquet.Column;
import dev.outrider.parquet.Table;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What `outrider bench --record` has kept, in memory. Whatever the files say is checked: they may be anybody's. Immutable.
///
/// @param folder of the results
/// @param seed   of the run
/// @param sides  every variant, those without a recording too
public record Recording(Path folder, long seed, List<RecordedSide> sides) {
    private static final double ROUNDING = 1e-6;

    /// Deepest draft.
    private static final int MOST_DEPTH = 1 << 12;

    /// Most nodes of a draft.
    private static final int MOST_NODES = 1 << 20;

    /// What a level takes in memory, its share of a draft and of columns included.
    private static final int BYTES_A_LEVEL = 160;

    public Recording {
        sides = List.copyOf(sides);
    }

    /// Plain decoding by variant.
    Map<String, String> baselines() {
        return sides.stream()
                .collect(
                        Collectors.toMap(
                                side -> side.side().name(),
                                side -> side.side().baseline(),
                                (one, _) -> one));
    }

    /// Whether a run has one.
    ///
    /// @param results folder of the run
    public static boolean isIn(Path results) {
        return Files.exists(
                results.resolve(RecordingFiles.FOLDER).resolve(RecordingFiles.MANIFEST));
    }

    /// Reads the recording of a run.
    ///
    /// @param results folder of the run
    /// @throws OutriderException DATA_INVALID if there is none, or it is broken or of another format
    public static Recording read(Path results) {
        Path folder = results.resolve(RecordingFiles.FOLDER);
        Path file = folder.resolve(RecordingFiles.MANIFEST);
        if (!Files.exists(file)) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' holds no recording: there is no %s/%s in it"
                            .formatted(results, RecordingFiles.FOLDER, RecordingFiles.MANIFEST),
                    "Run 'outrider bench CONFIG --record', and name the folder of that run.");
        }
        var manifest = JsonFiles.object(file, Manifest.class);
        if (manifest.format() != RecordingFiles.FORMAT) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' is of format %d, which another version of Outrider wrote; expected format %d"
                            .formatted(file, manifest.format(), RecordingFiles.FORMAT),
                    "Record the run again, or read it with the version that wrote it.");
        }
        return new Reader(folder, manifest).recording(results);
    }

    /// A place in a recording.
    private record Place(String side, int text, int position) {}

    private static final class Draft {
        private final boolean drawn;
        private final double[] p;
        private final double[] q;
        private final double[] overlap;
        private final int[] rank;
        private final int[] widths;
        private int nodes;

        Draft(boolean drawn, int depth) {
            this.drawn = drawn;
            this.p = new double[depth];
            this.q = new double[depth];
            this.overlap = new double[depth];
            this.rank = new int[depth];
            this.widths = new int[depth];
        }
    }

    private record Text(String side, String prompt, String kind, int repetition, int length) {}

    private static final class Reader {
        private final Path folder;
        private final Manifest manifest;
        private final Map<Integer, Text> texts = new LinkedHashMap<>();
        private final Map<Place, Draft> drafts = new HashMap<>();

        Reader(Path folder, Manifest manifest) {
            this.folder = folder;
            this.manifest = manifest;
        }

        Recording recording(Path results) {
            texts();
            drafts();
            levels();
            var sides =
                    manifest.sides().stream()
                            .map(side -> new RecordedSide(side, texts(side)))
                            .toList();
            return new Recording(results, manifest.seed(), sides);
        }

        private void texts() {
            var table = table(RecordingFiles.TEXTS, RecordingFiles.TEXT_COLUMNS);
            for (int row = 0; row < table.rows(); row++) {
                int length = table.ints("length")[row];
                require(
                        length >= 1 && length <= Table.MOST_ROWS,
                        RecordingFiles.TEXTS,
                        row,
                        "a text of %d tokens".formatted(length));
                var text =
                        new Text(
                                table.texts("side")[row],
                                table.texts("prompt")[row],
                                table.texts("kind")[row],
                                table.ints("repetition")[row],
                                length);
                require(
                        texts.put(table.ints("text")[row], text) == null,
                        RecordingFiles.TEXTS,
                        row,
                        "text %d a second time".formatted(table.ints("text")[row]));
            }
        }

        private void drafts() {
            var table = table(RecordingFiles.DRAFTS, RecordingFiles.DRAFT_COLUMNS);
            var levels = table(RecordingFiles.LEVELS, RecordingFiles.LEVEL_COLUMNS.subList(0, 2));
            requireMemory((long) levels.rows() + table.rows());
            long depths = 0;
            for (int row = 0; row < table.rows(); row++) {
                int depth = table.ints("depth")[row];
                depths += depth;
                require(
                        depth <= MOST_DEPTH,
                        RecordingFiles.DRAFTS,
                        row,
                        "a draft of depth %d, expected at most %d".formatted(depth, MOST_DEPTH));
                require(
                        depth >= 0 && depths <= levels.rows(),
                        RecordingFiles.DRAFTS,
                        row,
                        "a draft of depth %d, for which there are not as many levels"
                                .formatted(depth));
                String selection = table.texts("selection")[row];
                require(
                        List.of("point mass", "independent", "without replacement")
                                .contains(selection),
                        RecordingFiles.DRAFTS,
                        row,
                        "the selection '%s'".formatted(selection));
                require(
                        drafts.put(
                                        place(table, row, RecordingFiles.DRAFTS),
                                        new Draft(!selection.equals("point mass"), depth))
                                == null,
                        RecordingFiles.DRAFTS,
                        row,
                        "a second draft at one position");
            }
            require(
                    depths == levels.rows(),
                    RecordingFiles.LEVELS,
                    levels.rows(),
                    "%d levels for drafts of %d".formatted(levels.rows(), depths));
        }

        private void requireMemory(long levels) {
            long most = Runtime.getRuntime().maxMemory() / 2 / BYTES_A_LEVEL;
            if (levels > most) {
                throw new OutriderException(
                        ErrorCode.DATA_INVALID,
                        "'%s' has %d drafts and levels; expected at most %d, which take half of the memory that Java has"
                                .formatted(folder, levels, most),
                        "Give Java more memory with JAVA_TOOL_OPTIONS=-Xmx8g, or record fewer prompts.");
            }
        }

        private Place place(Table table, int row, String file) {
            int number = table.ints("text")[row];
            int position = table.ints("position")[row];
            var text = Optional.ofNullable(texts.get(number));
            require(
                    text.isPresent() && position >= 0 && position < text.get().length() - 1,
                    file,
                    row,
                    "position %d of text %d, which is not there".formatted(position, number));
            return new Place(table.texts("side")[row], number, position);
        }

        private void levels() {
            var table = table(RecordingFiles.LEVELS, RecordingFiles.LEVEL_COLUMNS);
            for (int row = 0; row < table.rows(); row++) {
                var draft =
                        Optional.ofNullable(drafts.get(place(table, row, RecordingFiles.LEVELS)));
                int level = table.ints("level")[row] - 1;
                require(
                        draft.isPresent()
                                && level >= 0
                                && level < draft.get().widths.length
                                && draft.get().widths[level] == 0,
                        RecordingFiles.LEVELS,
                        row,
                        "level %d of no draft, or a second time".formatted(level + 1));
                int at = row;
                draft.ifPresent(each -> level(each, level, table, at));
            }
        }

        private void level(Draft draft, int level, Table table, int row) {
            double p = table.doubles("p")[row];
            double q = table.doubles("q")[row];
            double overlap = table.doubles("overlap")[row];
            int rank = table.ints("rank")[row];
            int width = table.ints("width")[row];
            require(
                    share(p)
                            && share(q)
                            && share(overlap)
                            && rank >= -1
                            && width >= 1
                            && width <= MOST_NODES - draft.nodes,
                    RecordingFiles.LEVELS,
                    row,
                    "p %s, q %s, overlap %s, rank %d, width %d"
                            .formatted(p, q, overlap, rank, width));
            require(
                    p > 0 || q == 0,
                    RecordingFiles.LEVELS,
                    row,
                    "a token that the target would never write");
            draft.p[level] = p;
            draft.q[level] = q;
            draft.overlap[level] = overlap;
            draft.rank[level] = rank;
            draft.widths[level] = width;
            draft.nodes += width;
        }

        private static boolean share(double value) {
            return value >= 0 && value <= 1 + ROUNDING;
        }

        private List<RecordedText> texts(Manifest.Side side) {
            if (side.refusal().isPresent()) {
                return List.of();
            }
            var read = new ArrayList<RecordedText>();
            texts.forEach((number, text) -> {
                if (text.side().equals(side.baseline())) {
                    read.add(text(side.name(), number, text));
                }
            });
            return read;
        }

        private RecordedText text(String side, int number, Text text) {
            var along = new ArrayList<RecordedDraft>();
            for (int position = 0; position < text.length() - 1; position++) {
                var draft = Optional.ofNullable(drafts.get(new Place(side, number, position)));
                if (draft.isEmpty()) {
                    throw broken(
                            RecordingFiles.DRAFTS,
                            "there is no draft of '%s' at position %d of text %d"
                                    .formatted(side, position, number));
                }
                var found = draft.get();
                along.add(
                        new RecordedDraft(
                                found.drawn,
                                found.p,
                                found.q,
                                found.overlap,
                                found.rank,
                                found.widths));
            }
            return new RecordedText(
                    text.prompt(), text.kind(), text.repetition(), text.length(), along);
        }

        private Table table(String name, List<Column> columns) {
            try {
                return Table.read(folder.resolve(name), columns);
            } catch (IOException e) {
                throw new OutriderException(
                        ErrorCode.DATA_INVALID,
                        "'%s' cannot be read as a part of a recording: %s"
                                .formatted(folder.resolve(name), FailureReason.of(e)),
                        "Record the run again with 'outrider bench --record'.",
                        e);
            }
        }

        private void require(boolean right, String file, int row, String problem) {
            if (!right) {
                throw broken(file, "row %d has %s".formatted(row + 1, problem));
            }
        }

        private OutriderException broken(String file, String problem) {
            return new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s': %s".formatted(folder.resolve(file), problem),
                    "Record the run again with 'outrider bench --record'.");
        }
    }
}
