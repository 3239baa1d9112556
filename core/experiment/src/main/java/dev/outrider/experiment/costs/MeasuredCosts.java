package dev.outrider.experiment.costs;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.experiment.recording.LengthTimes;
import dev.outrider.experiment.results.Provenance;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.results.RoundLine.TimedRound;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The costs that a comparison measured.
public final class MeasuredCosts {
    private MeasuredCosts() {}

    /// The number of resamples of the blocks.
    private static final int DRAWS = 200;

    /// The costs of a comparison, for its own variants.
    ///
    /// @throws OutriderException DATA_INVALID if no pass of one row was measured
    public static Costs of(Cell cell) {
        return of(cell, cell.speculative());
    }

    /// The costs of a comparison for the variants of another one: those of the variant of the same name, or of those with the same
    /// drafter.
    ///
    /// @param cell     the comparison with the costs
    /// @param variants the variants whose drafts get costs
    /// @throws OutriderException DATA_INVALID if no pass of one row was measured
    public static Costs of(Cell cell, List<VariantResult> variants) {
        var plain =
                cell.report().variants().stream()
                        .filter(VariantResult::plain)
                        .map(VariantResult::name)
                        .collect(Collectors.toSet());
        var blocks =
                TimedBlocks.of(rounds(cell), plain)
                        .orElseThrow(() ->
                                ErrorCode.DATA_INVALID.error(
                                        "'%s' has no pass of one row, so its costs are not known"
                                                .formatted(cell.folder()),
                                        "Name results of a comparison in which plain decoding was measured."));
        var costs = new Measured(cell, blocks, Optional.empty()).costs(variants);
        var random = new SplittableRandom(cell.provenance().map(Provenance::seed).orElse(0L));
        int size = blocks.size();
        var draws =
                IntStream.range(0, DRAWS)
                        .mapToObj(_ -> blocks.drawn(random.ints(size, 0, size).toArray()))
                        .toList();
        return new Costs(
                costs.name(),
                costs.origin(),
                costs.target(),
                costs.drafters(),
                costs.engine(),
                costs.firstRounds(),
                draws.parallelStream()
                        .map(drawn -> new Measured(cell, drawn, Optional.of(costs)).costs(variants))
                        .toList());
    }

    /// Returns rounds of every length that a recording timed; without a recording, the rounds of the run.
    private static List<TimedRound> rounds(Cell cell) {
        var beams = new HashSet<String>();
        cell.report().variants().stream()
                .filter(variant -> variant.beams().isPresent())
                .forEach(variant -> beams.add(variant.name()));
        return LengthTimes.read(cell.folder())
                .orElseGet(() -> TimedRound.ofRun(ResultReader.rounds(cell.folder())))
                .stream()
                .filter(round -> !beams.contains(round.line().variant()))
                .toList();
    }

    /// @param usual the costs of all blocks, if these blocks were drawn from them
    private record Measured(Cell cell, TimedBlocks blocks, Optional<Costs> usual) {
        Costs costs(List<VariantResult> variants) {
            var drafters = new HashMap<String, LinearCost>();
            var engine = new HashMap<String, LinearCost>();
            for (VariantResult variant : variants) {
                var alike =
                        cell.speculative().stream()
                                .filter(each -> each.drafter().equals(variant.drafter()))
                                .toList();
                var namesake =
                        alike.stream()
                                .filter(each -> each.name().equals(variant.name()))
                                .findFirst();
                namesake.ifPresent(found -> engine.put(variant.name(), engine(found)));
                var timed =
                        namesake.map(List::of)
                                .orElseGet(() ->
                                        alike.stream()
                                                .filter(each -> each.draftLength() > 0)
                                                .toList());
                if (!timed.isEmpty()) {
                    String origin =
                            namesake.isPresent()
                                    ? "variant '%s' there".formatted(variant.name())
                                    : "the drafter '%s' there".formatted(variant.drafter());
                    drafters.put(variant.name(), draft(timed, origin));
                }
            }
            var firstRounds = new HashMap<String, SortedMap<Integer, Double>>();
            for (VariantResult variant : cell.report().variants()) {
                if (variant.plain()) {
                    engine.put(variant.name(), engine(variant));
                }
                firstRounds.put(variant.name(), blocks.firstRounds(variant.name()));
            }
            return new Costs(
                    cell.title(),
                    "measured in that run",
                    curve(),
                    drafters,
                    engine,
                    firstRounds,
                    List.of());
        }

        private CostCurve curve() {
            return usual.map(all -> TimedBlocks.TimedPasses.again(all.target(), blocks::passes))
                    .orElseGet(() -> TimedBlocks.TimedPasses.curve(blocks.passes()));
        }

        /// Returns a line through the times of drafts by depth. If no depth has enough rounds, all time is divided by the levels.
        private LinearCost draft(List<VariantResult> variants, String origin) {
            double nanos = 0;
            double levels = 0;
            for (VariantResult variant : variants) {
                nanos += variant.counts().times().draft();
                levels += variant.counts().draftSteps();
            }
            double level = levels == 0 ? 0 : nanos / levels;
            return blocks.draft(variants.stream().map(VariantResult::name).toList(), origin)
                    .orElseGet(() -> new LinearCost(0, level, origin));
        }

        private LinearCost engine(VariantResult variant) {
            var means = variant.meanNanos();
            return blocks.engine(variant.name())
                    .orElseGet(() ->
                            new LinearCost(
                                    means.decide()
                                            + means.commit()
                                            + means.observe()
                                            + means.rest(),
                                    0,
                                    ""));
        }
    }
}
