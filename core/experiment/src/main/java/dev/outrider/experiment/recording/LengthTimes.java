package dev.outrider.experiment.recording;

import dev.outrider.common.FailureReason;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.RoundLine;
import dev.outrider.experiment.results.RoundLine.TimedRound;
import dev.outrider.parquet.Table;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// Reads the rounds that [LengthTimer] has timed. They may be anybody's.
public final class LengthTimes {
    private LengthTimes() {}

    /// The rounds of a recording, those of every draft length among them.
    ///
    /// @param results folder of the run
    /// @return nothing where nothing was recorded, or by a version whose recordings are read no more; the repetition of a line is its block
    /// @throws OutriderException DATA_INVALID
    public static Optional<List<TimedRound>> read(Path results) {
        Path folder = results.resolve(RecordingFiles.FOLDER);
        Path file = folder.resolve(RecordingFiles.TIMES);
        if (!Files.exists(file) || !current(folder.resolve(RecordingFiles.MANIFEST))) {
            return Optional.empty();
        }
        try {
            var table = Table.read(file, RecordingFiles.TIME_COLUMNS);
            return Optional.of(rounds(table));
        } catch (IOException | IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' cannot be read as a part of a recording: %s"
                            .formatted(
                                    file,
                                    e instanceof IOException io
                                            ? FailureReason.of(io)
                                            : String.valueOf(e.getMessage())),
                    "Record the run again with 'outrider bench --record'.",
                    e);
        }
    }

    /// Whether there is a recording whose times have these columns.
    private static boolean current(Path manifest) {
        return Files.exists(manifest)
                && Json.object(manifest, Format.class).format() == RecordingFiles.FORMAT;
    }

    /// The format of the other files.
    record Format(int format) {}

    /// A generation is a variant's at one length in one block, and its rounds are in order.
    private static List<TimedRound> rounds(Table table) {
        var generations = new HashMap<Generation, Integer>();
        var lengths = new HashMap<Generation, Integer>();
        var rounds = new ArrayList<TimedRound>();
        for (int row = 0; row < table.rows(); row++) {
            var line = line(table, row);
            var generation =
                    new Generation(line.variant(), line.repetition(), table.ints("length")[row]);
            rounds.add(
                    new TimedRound(
                            line,
                            generations.computeIfAbsent(generation, _ -> generations.size()),
                            lengths.merge(generation, 1, Integer::sum) - 1));
        }
        return rounds;
    }

    private record Generation(String variant, int block, int length) {}

    private static RoundLine line(Table table, int row) {
        int nodes = table.ints("nodes")[row];
        int depth = table.ints("depth")[row];
        var times =
                new StageTimes(
                        table.longs("draft_nanos")[row],
                        table.longs("score_nanos")[row],
                        table.longs("decide_nanos")[row],
                        table.longs("commit_nanos")[row],
                        table.longs("observe_nanos")[row],
                        table.longs("rest_nanos")[row]);
        if (depth < 0 || nodes < depth || nodes >= Table.MAX_ROWS || !plausible(times)) {
            throw new IllegalArgumentException(
                    "row %d has %d nodes, depth %d and %s".formatted(row + 1, nodes, depth, times));
        }
        return new RoundLine(
                table.texts("variant")[row],
                table.texts("prompt")[row],
                table.ints("block")[row],
                new RoundLine.Round(
                        nodes,
                        depth,
                        table.ints("accepted")[row],
                        table.ints("emitted")[row],
                        times,
                        Optional.empty()));
    }

    /// Whether no time is negative or longer than a month.
    private static boolean plausible(StageTimes times) {
        return LongStream.of(
                        times.draft(),
                        times.score(),
                        times.decide(),
                        times.commit(),
                        times.observe(),
                        times.rest())
                .allMatch(nanos -> nanos >= 0 && nanos < 1L << 52);
    }
}
