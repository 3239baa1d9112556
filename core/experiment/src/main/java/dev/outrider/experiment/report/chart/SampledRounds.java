package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.read.Cell;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.sample.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The sampled rounds of one variant, as reports show them.
///
/// @param label  of the variant, distinct within the results
/// @param prompt id of the prompt
/// @param text   the prompt
/// @param source the source, of an encoder-decoder
/// @param rounds in order, from the first
/// @param same   label of an earlier variant that decided the same in every round of the same prompt
public record SampledRounds(
        String label,
        String prompt,
        String text,
        Optional<String> source,
        List<Samples.Round> rounds,
        Optional<String> same) {
    private static final int MAX_VARIANTS = 12;
    private static final int MAX_ROUNDS = 40;

    public SampledRounds {
        rounds = List.copyOf(rounds);
    }

    /// The first twelve variants whose rounds differ, and those between them that repeat one of them.
    public static List<SampledRounds> of(Results results) {
        var all = new ArrayList<SampledRounds>();
        int drawn = 0;
        for (Cell cell : results.cells()) {
            if (cell.samples().isEmpty()) {
                continue;
            }
            Samples samples = cell.samples().get();
            for (Samples.Side side : samples.sides()) {
                var rounds = side.rounds().subList(0, Math.min(MAX_ROUNDS, side.rounds().size()));
                Optional<String> same = same(all, samples, rounds);
                if (same.isPresent() || drawn++ < MAX_VARIANTS) {
                    all.add(
                            new SampledRounds(
                                    results.label(cell, side.name()),
                                    samples.prompt(),
                                    samples.text(),
                                    samples.source(),
                                    rounds,
                                    same));
                }
            }
        }
        return all;
    }

    private static Optional<String> same(
            List<SampledRounds> earlier, Samples samples, List<Samples.Round> rounds) {
        return earlier.stream()
                .filter(each -> each.same().isEmpty() && !rounds.isEmpty())
                .filter(each ->
                        each.prompt().equals(samples.prompt())
                                && each.text().equals(samples.text())
                                && each.source().equals(samples.source())
                                && each.rounds().equals(rounds))
                .map(SampledRounds::label)
                .findFirst();
    }
}
