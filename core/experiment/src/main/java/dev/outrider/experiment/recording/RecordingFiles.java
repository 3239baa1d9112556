package dev.outrider.experiment.recording;

import dev.outrider.parquet.Column;
import dev.outrider.parquet.Column.Type;
import java.util.List;

/// The files of a recording and their columns; docs/guide/laboratory.md says what each holds.
public final class RecordingFiles {
    /// Of the shape below; another one is refused.
    public static final int FORMAT = 2;

    /// Folder within the results.
    public static final String FOLDER = "recording";

    /// What was recorded and what was not.
    public static final String MANIFEST = "recording.json";

    public static final String TEXTS = "texts.parquet";
    public static final String POSITIONS = "positions.parquet";
    public static final String DRAFTS = "drafts.parquet";
    public static final String LEVELS = "levels.parquet";
    public static final String ROUNDS = "rounds.parquet";
    public static final String TIMES = "times.parquet";

    private static final Column SIDE = new Column("side", Type.TEXT);
    private static final Column TEXT = new Column("text", Type.INT);
    private static final Column POSITION = new Column("position", Type.INT);
    private static final Column PROMPT = new Column("prompt", Type.TEXT);
    private static final Column KIND = new Column("kind", Type.TEXT);
    private static final Column REPETITION = new Column("repetition", Type.INT);

    /// The first columns of [#TEXTS], which a replay needs; all of it but the tokens.
    public static final List<Column> TEXT_COLUMNS =
            List.of(TEXT, SIDE, PROMPT, KIND, REPETITION, new Column("length", Type.INT));

    /// The first columns of [#DRAFTS], which a replay needs.
    public static final List<Column> DRAFT_COLUMNS =
            List.of(
                    SIDE,
                    TEXT,
                    POSITION,
                    new Column("depth", Type.INT),
                    new Column("selection", Type.TEXT));

    /// The first columns of [#LEVELS], which a replay needs.
    public static final List<Column> LEVEL_COLUMNS =
            List.of(
                    SIDE,
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
                    SIDE,
                    PROMPT,
                    new Column("block", Type.INT),
                    new Column("length", Type.INT),
                    new Column("nodes", Type.INT),
                    new Column("depth", Type.INT),
                    new Column("accepted", Type.INT),
                    new Column("emitted", Type.INT));
    static final List<Column> ROUND_COLUMNS =
            StageColumns.after(
                    SIDE,
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
}
