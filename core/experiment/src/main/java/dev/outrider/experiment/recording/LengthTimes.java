package dev.outrider.experiment.recording;

import dev.outrider.common.Require;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.RoundLine;
import dev.outrider.parquet.Table;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// Reads the rounds that [LengthTimer] has timed. The files may come from other people.
public final class LengthTimes {
    /// The greatest time that is accepted: about a month, in nanoseconds.
    private static final long MONTH = 1L << 52;

    private LengthTimes() {}

    /// The rounds of a recording, those of every draft length among them.
    ///
    /// @param results folder of the run
    /// @return empty if nothing was recorded, or by a version whose recordings cannot be read any more; the repetition of a line
    ///         is its block
    /// @throws OutriderException DATA_INVALID
    public static Optional<List<RoundLine.TimedRound>> read(Path results) {
        Path folder = results.resolve(RecordingFiles.FOLDER);
        Path file = folder.resolve(RecordingFiles.TIMES);
        boolean current =
                Json.optional(folder.resolve(RecordingFiles.MANIFEST), Format.class)
                        .filter(manifest -> manifest.format() == RecordingFiles.FORMAT)
                        .isPresent();
        if (!current || !Files.exists(file)) {
            return Optional.empty();
        }
        var table = RecordingFiles.read(file, RecordingFiles.TIME_COLUMNS);
        try {
            return Optional.of(rounds(table));
        } catch (IllegalArgumentException e) {
            throw RecordingFiles.unreadable(file, String.valueOf(e.getMessage()), e);
        }
    }

    /// The format of the other files.
    record Format(int format) {}

    /// A generation is a variant's at one length in one block, and its rounds are in order.
    private static List<RoundLine.TimedRound> rounds(Table table) {
        var generations = new HashMap<Generation, Integer>();
        var lengths = new HashMap<Generation, Integer>();
        var rounds = new ArrayList<RoundLine.TimedRound>();
        for (int row = 0; row < table.rows(); row++) {
            var line = line(table, row);
            var generation =
                    new Generation(line.variant(), line.repetition(), table.ints("length")[row]);
            rounds.add(
                    new RoundLine.TimedRound(
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
        long[] nanos =
                RecordingFiles.STAGES.stream()
                        .mapToLong(stage -> table.longs(stage)[row])
                        .toArray();
        var times = new StageTimes(nanos[0], nanos[1], nanos[2], nanos[3], nanos[4], nanos[5]);
        boolean plausible = LongStream.of(nanos).allMatch(each -> each >= 0 && each < MONTH);
        Require.that(
                depth >= 0 && nodes >= depth && nodes < Table.MAX_ROWS && plausible,
                "row %d has %d nodes, depth %d and %s",
                row + 1,
                nodes,
                depth,
                times);
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
}
