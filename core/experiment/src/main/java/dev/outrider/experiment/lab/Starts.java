package dev.outrider.experiment.lab;

import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.stats.FirstRounds;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The times of generations outside their rounds: opening sessions, and the prompt's passes of target and drafter. They are in
/// units of a
/// round of plain decoding of the same prompt in the same repetition, means over repetitions. Immutable.
///
/// @param rounds the start in rounds of plain decoding, by variant and prompt
public record Starts(Map<Of, Double> rounds) {
    /// The greatest time that is accepted: about a month.
    private static final long LONGEST = 1L << 52;

    /// A variant and a prompt.
    public record Of(String variant, String prompt) {}

    private record Generation(Of of, int repetition) {}

    /// Returns the start in units of a plain round; 0 if nothing was measured.
    double of(String variant, String prompt) {
        return rounds.getOrDefault(new Of(variant, prompt), 0.0);
    }

    /// Reads the starts of a run. The files may come from other people.
    ///
    /// @param results   folder of the run
    /// @param baselines plain decoding by variant
    /// @throws OutriderException DATA_INVALID
    public static Starts read(Path results, Map<String, String> baselines) {
        var times = new HashMap<Generation, List<Long>>();
        for (var line : ResultReader.requiredRounds(results)) {
            var of = new Of(line.variant(), line.prompt());
            times.computeIfAbsent(new Generation(of, line.repetition()), _ -> new ArrayList<>())
                    .add(required(line.round().times().total(), results));
        }
        var starts = new HashMap<Of, DoubleSummaryStatistics>();
        for (var line : ResultReader.generations(results)) {
            var of = new Of(line.variant(), line.prompt());
            var own = times.get(new Generation(of, line.repetition()));
            String plain = baselines.getOrDefault(of.variant(), of.variant());
            double unit =
                    steady(
                            times.getOrDefault(
                                    new Generation(new Of(plain, of.prompt()), line.repetition()),
                                    List.of()));
            if (own != null && unit > 0) {
                long wall = required(line.wallNanos(), results);
                long rounds = own.stream().mapToLong(nanos -> nanos).sum();
                starts.computeIfAbsent(of, _ -> new DoubleSummaryStatistics())
                        .accept(Math.max(0, wall - rounds) / unit);
            }
        }
        var means = new HashMap<Of, Double>();
        starts.forEach((of, each) -> means.put(of, each.getAverage()));
        return new Starts(means);
    }

    private static double steady(List<Long> rounds) {
        return FirstRounds.mean(
                rounds.subList(FirstRounds.of(rounds.size()), rounds.size()), Long::doubleValue);
    }

    private static long required(long nanos, Path results) {
        if (nanos < 0 || nanos > LONGEST) {
            throw ErrorCode.DATA_INVALID.error(
                    "'%s' has a time of %d nanoseconds, expected 0 to %d"
                            .formatted(results, nanos, LONGEST),
                    "Run the comparison again with --record.");
        }
        return nanos;
    }
}
