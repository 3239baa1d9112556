package dev.outrider.experiment.recording;

import dev.outrider.parquet.Column;
import dev.outrider.parquet.Column.Type;
import java.util.List;
import java.util.stream.Stream;

/// The columns of a round's times, nanoseconds each, as every table of rounds has them ([dev.outrider.spi.run.DecodeEvent.StageTimes]).
public final class StageColumns {
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
