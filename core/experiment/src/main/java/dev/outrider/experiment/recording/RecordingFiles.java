package dev.outrider.experiment.recording;

import dev.outrider.common.FailureReason;
import dev.outrider.experiment.results.ResultFolder;
import dev.outrider.parquet.Column;
import dev.outrider.parquet.Column.Type;
import dev.outrider.parquet.Table;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The files of a recording and their columns; docs/reference/file-formats.md describes their content.
public final class RecordingFiles {
    /// The version of the format; files of another version are refused.
    public static final int FORMAT = 4;

    /// Folder within the results.
    public static final String FOLDER = ResultFolder.RECORDING;

    /// `recording.json`: the variants that were recorded, and the reasons for those that were not.
    public static final String MANIFEST = "recording.json";

    public static final String TEXTS = "texts.parquet";
    public static final String DRAFTS = "drafts.parquet";
    public static final String LEVELS = "levels.parquet";
    public static final String TIMES = "times.parquet";

    /// The columns of a round's times, nanoseconds each, in the order of [dev.outrider.spi.run.DecodeEvent.StageTimes].
    static final List<String> STAGES =
            Stream.of("draft", "score", "decide", "commit", "observe", "rest")
                    .map(stage -> stage + "_nanos")
                    .toList();

    /// The first columns of [#TEXTS], which a replay needs; all of it but the tokens.
    public static final List<Column> TEXT_COLUMNS =
            List.of(
                    whole("text"),
                    text("variant"),
                    text("prompt"),
                    text("kind"),
                    whole("repetition"),
                    whole("length"));

    /// The columns of [#DRAFTS].
    public static final List<Column> DRAFT_COLUMNS =
            List.of(
                    text("variant"),
                    whole("text"),
                    whole("position"),
                    whole("depth"),
                    text("selection"));

    /// The columns of [#LEVELS].
    public static final List<Column> LEVEL_COLUMNS =
            List.of(
                    text("variant"),
                    whole("text"),
                    whole("position"),
                    whole("level"),
                    whole("width"),
                    number("p"),
                    number("q"),
                    whole("rank"),
                    number("overlap"));

    static final List<Column> TOKENS = List.of(new Column("tokens", Type.INTS));

    static final List<Column> TIME_COLUMNS =
            Stream.concat(
                            List.of(
                                    text("variant"),
                                    text("prompt"),
                                    whole("block"),
                                    whole("length"),
                                    whole("nodes"),
                                    whole("depth"),
                                    whole("accepted"),
                                    whole("emitted"))
                                    .stream(),
                            STAGES.stream().map(stage -> new Column(stage, Type.LONG)))
                    .toList();

    private RecordingFiles() {}

    /// Reads a table.
    ///
    /// @throws OutriderException DATA_INVALID
    public static Table read(Path file, List<Column> columns) {
        try {
            return Table.read(file, columns);
        } catch (IOException e) {
            throw unreadable(file, FailureReason.of(e), e);
        }
    }

    static OutriderException unreadable(Path file, String why, Exception cause) {
        return ErrorCode.DATA_INVALID.error(
                "'%s' cannot be read as a part of a recording: %s".formatted(file, why),
                "Record the run again with 'outrider bench --record'.",
                cause);
    }

    private static Column text(String name) {
        return new Column(name, Type.TEXT);
    }

    private static Column whole(String name) {
        return new Column(name, Type.INT);
    }

    private static Column number(String name) {
        return new Column(name, Type.DOUBLE);
    }

    /// `recording.json`: the recorded variants, and the reasons for those that are not recorded.
    ///
    /// @param format   [RecordingFiles#FORMAT]
    /// @param seed     of the run
    /// @param variants every variant, in the order of the configuration
    public record Manifest(int format, long seed, List<OfVariant> variants) {
        /// A variant.
        ///
        /// @param name        of the variant
        /// @param baseline    plain decoding, whose texts were read
        /// @param drafter     name of its drafter
        /// @param rule        name of the rule that decided in the run
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
}
