package dev.outrider.experiment.lab;

import dev.outrider.experiment.recording.RecordingFiles;
import dev.outrider.experiment.recording.RecordingFiles.Manifest;
import dev.outrider.experiment.results.Json;
import dev.outrider.parquet.Column;
import dev.outrider.parquet.Table;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The recording of `outrider bench --record` in memory. The files may come from other people, so everything in them is checked here, once. Immutable.
///
/// @param folder of the results
/// @param seed   of the run
/// @param variants  every variant, also variants without a recording
public record Recording(Path folder, long seed, List<RecordedVariant> variants) {
    private static final double ROUNDING = 1e-6;

    /// The greatest depth of a draft.
    static final int MAX_DEPTH = 1 << 12;

    /// The most nodes of a draft.
    private static final int MAX_NODES = 1 << 20;

    private static final Set<String> SELECTIONS =
            Set.of("point mass", "independent", "without replacement");

    /// Bytes of memory for a level, with its share of a draft and of columns.
    private static final int BYTES_A_LEVEL = 160;

    /// Plain decoding by variant.
    Map<String, String> baselines() {
        return variants.stream()
                .collect(
                        Collectors.toMap(
                                variant -> variant.variant().name(),
                                variant -> variant.variant().baseline(),
                                (one, _) -> one));
    }

    /// Returns whether a run has a recording.
    ///
    /// @param results folder of the run
    public static boolean isIn(Path results) {
        return Files.exists(
                results.resolve(RecordingFiles.FOLDER).resolve(RecordingFiles.MANIFEST));
    }

    /// Reads the recording of a run.
    ///
    /// @param results folder of the run
    /// @throws OutriderException DATA_INVALID if there is no recording, or it is broken or of another format
    public static Recording read(Path results) {
        Path folder = results.resolve(RecordingFiles.FOLDER);
        Path file = folder.resolve(RecordingFiles.MANIFEST);
        if (!Files.exists(file)) {
            throw ErrorCode.DATA_INVALID.error(
                    "'%s' holds no recording: there is no %s/%s in it"
                            .formatted(results, RecordingFiles.FOLDER, RecordingFiles.MANIFEST),
                    "Run 'outrider bench CONFIG --record', and name the folder of that run.");
        }
        var manifest = Json.object(file, Manifest.class);
        if (manifest.format() != RecordingFiles.FORMAT) {
            throw ErrorCode.DATA_INVALID.error(
                    "'%s' is of format %d, which another version of Outrider wrote; expected format %d"
                            .formatted(file, manifest.format(), RecordingFiles.FORMAT),
                    "Record the run again, or read it with the version that wrote it.");
        }
        return new Reader(folder, manifest).recording(results);
    }

    private record Text(String variant, String prompt, String kind, int repetition, int length) {}

    private static final class Reader {
        private final Path folder;
        private final Manifest manifest;
        private final Map<Integer, Text> texts = new LinkedHashMap<>();
        private final Map<String, Map<Integer, Map<Integer, RecordedDraft>>> drafts =
                new HashMap<>();

        Reader(Path folder, Manifest manifest) {
            this.folder = folder;
            this.manifest = manifest;
        }

        Recording recording(Path results) {
            texts();
            // Two columns give the number of rows, before all columns are in memory.
            drafts(table(RecordingFiles.LEVELS, RecordingFiles.LEVEL_COLUMNS.subList(0, 2)).rows());
            levels(table(RecordingFiles.LEVELS, RecordingFiles.LEVEL_COLUMNS));
            var variants =
                    manifest.variants().stream()
                            .map(variant -> new RecordedVariant(variant, texts(variant)))
                            .toList();
            return new Recording(results, manifest.seed(), variants);
        }

        private void texts() {
            String file = RecordingFiles.TEXTS;
            var table = table(file, RecordingFiles.TEXT_COLUMNS);
            for (int row = 0; row < table.rows(); row++) {
                int length = table.ints("length")[row];
                int number = table.ints("text")[row];
                boolean fits = length >= 1 && length <= Table.MAX_ROWS;
                require(fits, file, row, "a text of %d tokens", length);
                var text =
                        new Text(
                                table.texts("variant")[row],
                                table.texts("prompt")[row],
                                table.texts("kind")[row],
                                table.ints("repetition")[row],
                                length);
                boolean first = texts.put(number, text) == null;
                require(first, file, row, "text %d a second time", number);
            }
        }

        private void drafts(int levels) {
            String file = RecordingFiles.DRAFTS;
            var table = table(file, RecordingFiles.DRAFT_COLUMNS);
            requireMemory((long) levels + table.rows());
            int[] depthsOf = table.ints("depth");
            var selections = table.texts("selection");
            var places = new Places(table, file);
            long depths = 0;
            for (int row = 0; row < table.rows(); row++) {
                int depth = depthsOf[row];
                depths += depth;
                boolean shallow = depth >= 0 && depth <= MAX_DEPTH;
                require(
                        shallow,
                        file,
                        row,
                        "a draft of depth %d, expected 0 to %d",
                        depth,
                        MAX_DEPTH);
                boolean filled = depths <= levels;
                require(
                        filled,
                        file,
                        row,
                        "a draft of depth %d; the drafts so far need %d rows of %s, which has %d",
                        depth,
                        depths,
                        RecordingFiles.LEVELS,
                        levels);
                String selection = selections[row];
                require(SELECTIONS.contains(selection), file, row, "the selection '%s'", selection);
                var draft = RecordedDraft.empty(!selection.equals("point mass"), depth);
                boolean first = places.along(row).putIfAbsent(places.positions[row], draft) == null;
                require(first, file, row, "a second draft at one position");
            }
            if (depths != levels) {
                throw broken(
                        RecordingFiles.LEVELS,
                        "%d rows, expected the %d that the drafts need".formatted(levels, depths));
            }
        }

        private void requireMemory(long levels) {
            long most = Runtime.getRuntime().maxMemory() / 2 / BYTES_A_LEVEL;
            if (levels > most) {
                throw ErrorCode.DATA_INVALID.error(
                        "'%s' has %d drafts and levels; expected at most %d, which take half of the memory that Java has"
                                .formatted(folder, levels, most),
                        "Give Java more memory with JAVA_TOOL_OPTIONS=-Xmx8g, or record fewer prompts.");
            }
        }

        /// The positions of a table's rows.
        private final class Places {
            private final String file;
            private final String[] variants;
            private final int[] numbers;
            private final int[] positions;

            Places(Table table, String file) {
                this.file = file;
                this.variants = table.texts("variant");
                this.numbers = table.ints("text");
                this.positions = table.ints("position");
            }

            /// The drafts of the row's variant along its text, by position.
            Map<Integer, RecordedDraft> along(int row) {
                var text = texts.get(numbers[row]);
                int position = positions[row];
                boolean there = text != null && position >= 0 && position < text.length() - 1;
                var problem = "position %d of text %d, which is not there";
                require(there, file, row, problem, position, numbers[row]);
                return drafts.computeIfAbsent(variants[row], _ -> new HashMap<>())
                        .computeIfAbsent(numbers[row], _ -> new HashMap<>());
            }
        }

        private void levels(Table table) {
            String file = RecordingFiles.LEVELS;
            var places = new Places(table, file);
            int[] numbers = table.ints("level");
            double[] p = table.doubles("p");
            double[] q = table.doubles("q");
            double[] overlap = table.doubles("overlap");
            int[] rank = table.ints("rank");
            int[] width = table.ints("width");
            for (int row = 0; row < table.rows(); row++) {
                var draft = places.along(row).get(places.positions[row]);
                int level = numbers[row] - 1;
                if (draft == null
                        || level < 0
                        || level >= draft.depth()
                        || draft.widths()[level] != 0) {
                    throw broken(
                            file,
                            "row %d has level %d of no draft, or a second time"
                                    .formatted(row + 1, level + 1));
                }
                boolean plausible =
                        share(p[row])
                                && share(q[row])
                                && share(overlap[row])
                                && rank[row] >= -1
                                && width[row] >= 1
                                && width[row] <= MAX_NODES - draft.nodes();
                require(
                        plausible,
                        file,
                        row,
                        "p %s, q %s, overlap %s, rank %d, width %d",
                        p[row],
                        q[row],
                        overlap[row],
                        rank[row],
                        width[row]);
                boolean written = p[row] > 0 || q[row] == 0;
                require(written, file, row, "a token that the target would never write");
                draft.p()[level] = p[row];
                draft.q()[level] = q[row];
                draft.overlap()[level] = overlap[row];
                draft.rank()[level] = rank[row];
                draft.widths()[level] = width[row];
            }
        }

        private static boolean share(double value) {
            return value >= 0 && value <= 1 + ROUNDING;
        }

        private List<RecordedText> texts(Manifest.OfVariant variant) {
            if (variant.refusal().isPresent()) {
                return List.of();
            }
            var read = new ArrayList<RecordedText>();
            texts.forEach((number, text) -> {
                if (text.variant().equals(variant.baseline())) {
                    read.add(text(variant.name(), number, text));
                }
            });
            return read;
        }

        private RecordedText text(String variant, int number, Text text) {
            var along = new ArrayList<RecordedDraft>();
            var own = drafts.getOrDefault(variant, Map.of()).getOrDefault(number, Map.of());
            for (int position = 0; position < text.length() - 1; position++) {
                var draft = own.get(position);
                if (draft == null) {
                    throw broken(
                            RecordingFiles.DRAFTS,
                            "there is no draft of '%s' at position %d of text %d"
                                    .formatted(variant, position, number));
                }
                along.add(draft);
            }
            return new RecordedText(
                    text.prompt(), text.kind(), text.repetition(), text.length(), along);
        }

        private Table table(String name, List<Column> columns) {
            return RecordingFiles.read(folder.resolve(name), columns);
        }

        private void require(
                boolean right, String file, int row, String problem, Object... values) {
            if (!right) {
                throw broken(file, "row %d has %s".formatted(row + 1, problem.formatted(values)));
            }
        }

        private OutriderException broken(String file, String problem) {
            return ErrorCode.DATA_INVALID.error(
                    "'%s': %s".formatted(folder.resolve(file), problem),
                    "Record the run again with 'outrider bench --record'.");
        }
    }

    /// A draft at a position of a text, level by level along the text's path through it. Level k is at index k - 1. The arrays are filled while a
    /// recording is read, and not changed after that.
    ///
    /// @param drawn   whether guesses were drawn; otherwise they were ranked or looked up
    /// @param p       the target's probability of the text's token; 0 after the text has left the draft or ended
    /// @param q       the drafter's probability; for guesses that were not drawn, 1 if the token is among them
    /// @param overlap sum of min(p, q) at the node; for guesses that were not drawn, their sum of p
    /// @param rank    number of tokens with a larger q; for guesses that were not drawn, the place among siblings; -1 if the
    ///                token is not a guess
    /// @param widths  nodes of the level
    record RecordedDraft(
            boolean drawn, double[] p, double[] q, double[] overlap, int[] rank, int[] widths) {
        /// A draft whose levels are not read yet.
        private static RecordedDraft empty(boolean drawn, int depth) {
            return new RecordedDraft(
                    drawn,
                    new double[depth],
                    new double[depth],
                    new double[depth],
                    new int[depth],
                    new int[depth]);
        }

        int depth() {
            return widths.length;
        }

        private int nodes() {
            return Arrays.stream(widths).sum();
        }
    }

    /// The drafts of a variant along the texts of a run.
    ///
    /// @param variant  as the recording names it
    /// @param texts empty if nothing was recorded of the variant
    record RecordedVariant(Manifest.OfVariant variant, List<RecordedText> texts) {
        /// The greatest depth of a draft.
        int depth() {
            return all().mapToInt(RecordedDraft::depth).max().orElse(0);
        }

        /// Whether guesses of any draft were drawn.
        boolean drawn() {
            return all().anyMatch(RecordedDraft::drawn);
        }

        /// Whether no draft has two nodes of one depth.
        boolean chains() {
            return all().noneMatch(draft -> Arrays.stream(draft.widths()).anyMatch(w -> w > 1));
        }

        private Stream<RecordedDraft> all() {
            return texts.stream().flatMap(text -> text.drafts().stream());
        }
    }

    /// The drafts of a variant along one text.
    ///
    /// @param prompt     id of the prompt
    /// @param kind       of task
    /// @param repetition from 0
    /// @param tokens     of the text
    /// @param drafts     at every position but the last
    record RecordedText(
            String prompt, String kind, int repetition, int tokens, List<RecordedDraft> drafts) {}
}
