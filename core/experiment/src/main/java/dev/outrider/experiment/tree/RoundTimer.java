package dev.outrider.experiment.tree;

import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.model.RoundCost;
import dev.outrider.engine.model.RoundCost.Shape;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The cost of rounds on this machine, from real rounds of an ordinary comparison: plain decoding, and drafts of growing size.
final class RoundTimer {
    /// Shapes with fewer rounds than this share of the most frequent shape are the ends of sequences, with too few rounds for a
    /// median.
    private static final double FEWEST = 0.25;

    private RoundTimer() {}

    /// Drafters of one variant at 1, 2, 4, … nodes up to the limit.
    static List<Variant> ladder(Variant full, String name, int maxNodes, int maxDepth) {
        var sizes = new ArrayList<Variant>();
        for (int nodes = 1; nodes < 2 * maxNodes; nodes *= 2) {
            int size = Math.min(nodes, maxNodes);
            var decoder = full.decoder();
            var narrowed =
                    decoder.drafter()
                            .<Drafter>map(drafter ->
                                    new NarrowedDrafter(drafter, size, Math.min(size, maxDepth)));
            sizes.add(
                    new Variant(
                            name + " of " + size,
                            full.baseline(),
                            full.drafter(),
                            full.rule(),
                            full.policy(),
                            full.losslessness(),
                            decoder.withDrafting(narrowed, FixedLength.drafterLimit()),
                            Optional.empty()));
        }
        return sizes;
    }

    /// Costs of a round in nanoseconds: the median over all rounds of one shape.
    static RoundCost cost(ComparisonResult result) {
        var plain = rounds(result, true);
        var drafted = rounds(result, false).filter(round -> round.nodes() > 0).toList();
        var byRows =
                new TreeMap<>(
                        drafted.stream()
                                .collect(Collectors.groupingBy(round -> round.nodes() + 1)));
        var restByRows = new TreeMap<>(medians(byRows, RoundTimer::withoutDrafting));
        restByRows.putAll(medians(Map.of(1, plain.toList()), RoundTimer::withoutDrafting));
        return RoundCost.fit(
                medians(
                        drafted.stream()
                                .collect(
                                        Collectors.groupingBy(
                                                round -> new Shape(round.nodes(), round.depth()))),
                        round -> round.times().draft()),
                restByRows);
    }

    private static double withoutDrafting(RoundRecord round) {
        return round.times().total() - round.times().draft();
    }

    private static Stream<RoundRecord> rounds(ComparisonResult result, boolean plain) {
        return result.plan().variants().stream()
                .filter(variant -> variant.plain() == plain)
                .flatMap(variant -> result.of(variant).stream())
                .flatMap(generation -> generation.rounds().stream());
    }

    private static <K> Map<K, Double> medians(
            Map<K, List<RoundRecord>> groups, ToDoubleFunction<RoundRecord> time) {
        int most = groups.values().stream().mapToInt(List::size).max().orElse(0);
        return groups.entrySet().stream()
                .filter(group -> group.getValue().size() >= FEWEST * most)
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                group ->
                                        Bootstrap.median(
                                                group.getValue().stream()
                                                        .mapToDouble(time)
                                                        .toArray())));
    }

    /// A drafter that is never asked for more than some nodes and depth, so that one loaded drafter can be timed at many sizes.
    /// Owns nothing: closing it leaves the drafter open.
    record NarrowedDrafter(Drafter drafter, int maxNodes, int maxDepth)
            implements ForwardingDrafter {
        @Override
        public DrafterTraits traits() {
            var all = drafter.traits();
            int nodes = Math.min(maxNodes, all.maxNodes());
            return all.within(nodes, Math.min(nodes, Math.min(maxDepth, all.maxDepth())));
        }

        @Override
        public void close() {}
    }
}
