package dev.outrider.experiment.recording;

import dev.outrider.parquet.Column;
import dev.outrider.parquet.Column.Type;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The files of a recording and their columns; docs/guide/laboratory.md says what each holds.
public final class RecordingFiles {
    /// Of the shape below; another one is refused.
    public static final int FORMAT = 3;

    /// Folder within the results.
    public static final String FOLDER = "recording";

    /// `recording.json`: the variants that were recorded, and the reasons for those that were not.
    public static final String MANIFEST = "recording.json";

    public static final String TEXTS = "texts.parquet";
    public static final String POSITIONS = "positions.parquet";
    public static final String DRAFTS = "drafts.parquet";
    public static final String LEVELS = "levels.parquet";
    public static final String ROUNDS = "rounds.parquet";
    public static final String TIMES = "times.parquet";

    private static final Column VARIANT = new Column("variant", Type.TEXT);
    private static final Column TEXT = new Column("text", Type.INT);
    private static final Column POSITION = new Column("position", Type.INT);
    private static final Column PROMPT = new Column("prompt", Type.TEXT);
    private static final Column KIND = new Column("kind", Type.TEXT);
    private static final Column REPETITION = new Column("repetition", Type.INT);

    /// The first columns of [#TEXTS], which a replay needs; all of it but the tokens.
    public static final List<Column> TEXT_COLUMNS =
            List.of(TEXT, VARIANT, PROMPT, KIND, REPETITION, new Column("length", Type.INT));

    /// The first columns of [#DRAFTS], which a replay needs.
    public static final List<Column> DRAFT_COLUMNS =
            List.of(
                    VARIANT,
                    TEXT,
                    POSITION,
                    new Column("depth", Type.INT),
                    new Column("selection", Type.TEXT));

    /// The first columns of [#LEVELS], which a replay needs.
    public static final List<Column> LEVEL_COLUMNS =
            List.of(
                    VARIANT,
                    TEXT,
                    POSITION,
                    new Column("level", Type.INT),
                    new Column("width", Type.INT),
                    new Column("p", Type.DOUBLE),
                    new Column("q", Type.DOUBLE),
                    new Column("rank", Type.INT),
                    new Column("overlap", Type.DOUBLE));

    static final List<Column> TOKENS = List.of(new Column("tokens", Type.INTS));
    static final List<Column> TREE =
            List.of(new Column("parents", Type.INTS), new Column("tokens", Type.INTS));
    static final List<Column> TOP =
            List.of(
                    new Column("top_tokens", Type.INTS),
                    new Column("top_q", Type.DOUBLES),
                    new Column("tail_q", Type.DOUBLE));
    static final List<Column> POSITION_COLUMNS =
            List.of(
                    TEXT,
                    POSITION,
                    new Column("token", Type.INT),
                    new Column("p", Type.DOUBLE),
                    new Column("top_tokens", Type.INTS),
                    new Column("top_p", Type.DOUBLES),
                    new Column("tail_p", Type.DOUBLE));
    static final List<Column> TIME_COLUMNS =
            StageColumns.after(
                    VARIANT,
                    PROMPT,
                    new Column("block", Type.INT),
                    new Column("length", Type.INT),
                    new Column("nodes", Type.INT),
                    new Column("depth", Type.INT),
                    new Column("accepted", Type.INT),
                    new Column("emitted", Type.INT));
    static final List<Column> ROUND_COLUMNS =
            StageColumns.after(
                    VARIANT,
                    PROMPT,
                    REPETITION,
                    new Column("round", Type.INT),
                    new Column("selection", Type.TEXT),
                    new Column("parents", Type.INTS),
                    new Column("tokens", Type.INTS),
                    new Column("accepted", Type.INTS),
                    new Column("next", Type.INT),
                    new Column("origin", Type.TEXT),
                    new Column("emitted", Type.INT));

    private RecordingFiles() {}

    /// `recording.json`: what was recorded, and why the rest was not.
    ///
    /// @param format    [RecordingFiles#FORMAT]
    /// @param seed      of the run
    /// @param topTokens most tokens of a distribution that were kept one by one
    /// @param variants     every variant, in the order of the configuration
    public record Manifest(int format, long seed, int topTokens, List<OfVariant> variants) {
        /// A variant.
        ///
        /// @param name        of the variant
        /// @param baseline    plain decoding, whose texts were read
        /// @param drafter     name of its drafter
        /// @param rule        that decided in the run
        /// @param temperature of sampling; 0 is greedy
        /// @param refusal     why its drafts are not recorded; absent if they are
        public record OfVariant(
                String name,
                String baseline,
                String drafter,
                String rule,
                double temperature,
                Optional<String> refusal) {}
    }

    /// The columns of a round's times, nanoseconds each, as every table of rounds has them ([dev.outrider.spi.run.DecodeEvent.StageTimes]).
    public static final class StageColumns {
        /// In the order of the stages.
        public static final List<Column> ALL =
                Stream.of("draft", "score", "decide", "commit", "observe", "rest")
                        .map(stage -> new Column(stage + "_nanos", Type.LONG))
                        .toList();

        private StageColumns() {}

        /// The columns between others.
        static List<Column> after(Column... first) {
            return Stream.concat(Stream.of(first), ALL.stream()).toList();
        }
    }
}
