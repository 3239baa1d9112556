package dev.outrider.experiment.lab;

import dev.outrider.common.FailureReason;
import dev.outrider.experiment.recording.RecordingFiles.StageColumns;
import dev.outrider.experiment.stats.FirstRounds;
import dev.outrider.parquet.Column;
import dev.outrider.parquet.Column.Type;
import dev.outrider.parquet.Table;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What generations of a run took beside their rounds: opening sessions, and the prompt's passes of target and drafter. In units of a round of
/// plain decoding of the same prompt in the same repetition, by variant and prompt, the mean over repetitions. Whatever the files say is checked:
/// they may be anybody's. Immutable.
public final class Starts {
    /// No start times: only rounds count.
    public static final Starts NONE = new Starts(Map.of());

    private static final Column VARIANT = new Column("variant", Type.TEXT);
    private static final Column PROMPT = new Column("prompt", Type.TEXT);
    private static final Column REPETITION = new Column("repetition", Type.INT);
    private static final Column WALL = new Column("wall_nanos", Type.LONG);

    /// No time is longer than a month.
    private static final long LONGEST = 1L << 52;

    private final Map<Of, Double> rounds;

    /// @param rounds of plain decoding that it takes
    Starts(Map<Of, Double> rounds) {
        this.rounds = Map.copyOf(rounds);
    }

    /// A variant and a prompt.
    record Of(String variant, String prompt) {}

    private record Generation(Of of, int repetition) {}

    private static double steady(List<Long> rounds) {
        return FirstRounds.mean(
                rounds.subList(FirstRounds.of(rounds.size()), rounds.size()), Long::doubleValue);
    }

    /// In units of a plain round; 0 where nothing was measured.
    double of(String variant, String prompt) {
        return rounds.getOrDefault(new Of(variant, prompt), 0.0);
    }

    /// Reads a run's.
    ///
    /// @param results   folder of the run
    /// @param baselines plain decoding by variant
    /// @throws OutriderException DATA_INVALID
    public static Starts read(Path results, Map<String, String> baselines) {
        var times = rounds(results.resolve("rounds.parquet"));
        var walls = walls(results.resolve("generations.parquet"));
        var sums = new HashMap<Of, Double>();
        var counts = new HashMap<Of, Integer>();
        walls.forEach((generation, wall) -> {
            var of = generation.of();
            String plain = baselines.getOrDefault(of.variant(), of.variant());
            var own = Optional.ofNullable(times.get(generation));
            Optional.ofNullable(
                            times.get(
                                    new Generation(
                                            new Of(plain, of.prompt()), generation.repetition())))
                    .map(Starts::steady)
                    .filter(unit -> unit > 0)
                    .ifPresent(unit ->
                            own.ifPresent(each -> {
                                long rounds = each.stream().mapToLong(nanos -> nanos).sum();
                                sums.merge(of, Math.max(0, wall - rounds) / unit, Double::sum);
                                counts.merge(of, 1, Integer::sum);
                            }));
        });
        counts.forEach((of, count) -> sums.computeIfPresent(of, (_, sum) -> sum / count));
        return new Starts(sums);
    }

    private static Map<Generation, List<Long>> rounds(Path file) {
        var columns = new ArrayList<>(StageColumns.ALL);
        columns.addAll(List.of(VARIANT, PROMPT, REPETITION));
        var table = table(file, columns);
        var stages = StageColumns.ALL.stream().map(stage -> table.longs(stage.name())).toList();
        var variants = table.texts(VARIANT.name());
        var prompts = table.texts(PROMPT.name());
        int[] repetitions = table.ints(REPETITION.name());
        var times = new HashMap<Generation, List<Long>>();
        for (int row = 0; row < table.rows(); row++) {
            long nanos = 0;
            for (var stage : stages) {
                nanos += required(stage[row], file, row);
            }
            times.computeIfAbsent(
                            new Generation(new Of(variants[row], prompts[row]), repetitions[row]),
                            _ -> new ArrayList<>())
                    .add(nanos);
        }
        return times;
    }

    private static Map<Generation, Long> walls(Path file) {
        var table = table(file, List.of(VARIANT, PROMPT, REPETITION, WALL));
        var walls = new HashMap<Generation, Long>();
        for (int row = 0; row < table.rows(); row++) {
            walls.put(
                    new Generation(
                            new Of(
                                    table.texts(VARIANT.name())[row],
                                    table.texts(PROMPT.name())[row]),
                            table.ints(REPETITION.name())[row]),
                    required(table.longs(WALL.name())[row], file, row));
        }
        return walls;
    }

    private static long required(long nanos, Path file, int row) {
        if (nanos < 0 || nanos > LONGEST) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s': row %d has %d nanoseconds".formatted(file, row + 1, nanos),
                    "Run the comparison again with --record.");
        }
        return nanos;
    }

    private static Table table(Path file, List<Column> columns) {
        try {
            return Table.read(file, columns);
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' cannot be read as a part of a recorded run: %s"
                            .formatted(file, FailureReason.of(e)),
                    "Run the comparison again with --record.",
                    e);
        }
    }
}
