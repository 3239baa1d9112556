package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Compares dynamic trees with a twin that runs the whole beam and sorts every candidate.
class DynamicTreeTest {
    private static final int VOCABULARY = 9;
    private static final List<Integer> COMMITTED = List.of(4, 7, 2);

    @Test
    void equalsTheFullBeamRerankedIncludingTiesAndTinyBudgets() {
        int ties = 0;
        for (int seed = 0; seed < 2000; seed++) {
            var random = new Random(seed);
            var style = PathLogits.Style.values()[seed % PathLogits.Style.values().length];
            var network = new PathLogits(VOCABULARY, seed, style);
            var plan =
                    new TreePlan.Dynamic(
                            1 + random.nextInt(5), 1 + random.nextInt(5), 1 + random.nextInt(30));
            int maxNodes = 1 + random.nextInt(40);
            var budget = new DraftBudget(maxNodes, 1 + random.nextInt(maxNodes));
            var stop =
                    random.nextInt(3) > 0
                            ? new StopRule.Never()
                            : new StopRule.LowConfidence(0.05 + 0.3 * random.nextDouble());
            var stepper = new PathStepper(network, COMMITTED);

            var expansion = expand(stepper, plan, stop, budget);

            var twin = naive(network, plan, stop, budget);
            assertThat(expansion.draft().tree())
                    .as("seed %d, %s", seed, plan)
                    .isEqualTo(twin.tree());
            assertThat(expansion.draft().selection()).isEqualTo(new Selection.PointMass());
            StaticTreeTest.assertRowsHoldThePaths(expansion, stepper);
            assertThat(stepper.passSizes().stream().mapToInt(Integer::intValue).sum())
                    .isLessThanOrEqualTo(TreeExpander.maxRows(plan));
            ties += twin.tied() ? 1 : 0;
        }
        assertThat(ties).as("cases with ties").isGreaterThan(500);
    }

    @Test
    void stopsRunningWhenNothingDeeperCanBeKept() {
        var stepper =
                new PathStepper(new PathLogits(VOCABULARY, 3, PathLogits.Style.SMOOTH), COMMITTED);

        expand(
                stepper,
                new TreePlan.Dynamic(4, 9, 2),
                new StopRule.Never(),
                new DraftBudget(99, 99));

        assertThat(stepper.passSizes().size()).isLessThan(4);
    }

    @Test
    void scoresUseTheSoftmaxAtTemperatureOneWhateverTheSamplingTemperature() {
        var network = new PathLogits(VOCABULARY, 5, PathLogits.Style.SMOOTH);
        var plan = new TreePlan.Dynamic(4, 4, 12);
        var budget = new DraftBudget(12, 4);

        var hot =
                new TreeExpander(
                                plan,
                                SamplingPolicy.atTemperature(3),
                                new StopRule.Never(),
                                new DraftVocabulary(VOCABULARY, VOCABULARY))
                        .expand(
                                new PathStepper(network, COMMITTED),
                                history(),
                                budget,
                                new RecordingRandomness(0));

        assertThat(hot.draft().tree())
                .isEqualTo(naive(network, plan, new StopRule.Never(), budget).tree());
    }

    private record Candidate(List<Integer> path, double score, double probability, int creation) {}

    private record Twin(TokenTree tree, boolean tied) {}

    private static Twin naive(
            PathLogits network, TreePlan.Dynamic plan, StopRule stop, DraftBudget budget) {
        var bestFirst =
                Comparator.<Candidate>comparingDouble(candidate -> -candidate.score())
                        .thenComparingInt(candidate -> candidate.path().size())
                        .thenComparingInt(Candidate::creation);
        int total = Math.min(plan.totalNodes(), budget.maxNodes());
        var all = new ArrayList<Candidate>();
        var beam = List.of(new Candidate(List.of(), 0, 1, 0));
        for (int depth = 1; depth <= Math.min(plan.depth(), budget.maxDepth()); depth++) {
            var level = new ArrayList<Candidate>();
            for (var parent : beam) {
                var before = new ArrayList<>(COMMITTED);
                before.addAll(parent.path());
                var scores = network.after(before);
                // The same sum as the tested code computes, so that equal sums round equally and
                // ties stay ties.
                var reader =
                        new LogitReader(
                                SamplingPolicy.argmax(),
                                new DraftVocabulary(VOCABULARY, VOCABULARY));
                reader.read(network.segmentAfter(before), TokenHistory.empty());
                double normaliser = reader.logNormaliser();
                IntStream.range(0, VOCABULARY)
                        .boxed()
                        .filter(token -> scores[token] > Float.NEGATIVE_INFINITY)
                        .sorted(Comparator.comparing(token -> -scores[token]))
                        .limit(plan.topK())
                        .forEach(token -> {
                            var path = new ArrayList<>(parent.path());
                            path.add(token);
                            double log = Math.min(0, scores[token] - normaliser);
                            level.add(
                                    new Candidate(
                                            path,
                                            parent.score() + log,
                                            Math.exp(log),
                                            all.size() + level.size()));
                        });
            }
            all.addAll(level);
            beam =
                    level.stream()
                            .sorted(bestFirst)
                            .limit(plan.topK())
                            .filter(candidate -> stop.continuesBelow(candidate.probability()))
                            .toList();
        }
        var kept =
                all.stream()
                        .sorted(bestFirst)
                        .limit(total)
                        .sorted(Comparator.comparingInt(Candidate::creation))
                        .toList();
        assertAncestorsAreKept(kept);
        var nodes = new ArrayList<List<Integer>>();
        nodes.add(List.of());
        var tree = TokenTree.builder(COMMITTED.getLast());
        for (var candidate : kept) {
            var path = candidate.path();
            tree.add(nodes.indexOf(path.subList(0, path.size() - 1)), path.getLast());
            nodes.add(path);
        }
        long scores = all.stream().mapToDouble(Candidate::score).distinct().count();
        return new Twin(tree.build(), scores < all.size());
    }

    private static void assertAncestorsAreKept(List<Candidate> kept) {
        var paths = new HashSet<>(kept.stream().map(Candidate::path).toList());
        paths.add(List.of());
        assertThat(kept)
                .allSatisfy(candidate ->
                        assertThat(paths)
                                .contains(
                                        candidate.path().subList(0, candidate.path().size() - 1)));
    }

    private static DraftWithRows expand(
            PathStepper stepper, TreePlan plan, StopRule stop, DraftBudget budget) {
        return new TreeExpander(
                        plan,
                        SamplingPolicy.argmax(),
                        stop,
                        new DraftVocabulary(VOCABULARY, VOCABULARY))
                .expand(stepper, history(), budget, new RecordingRandomness(0));
    }

    private static TokenHistory history() {
        return TokenHistory.of(COMMITTED.stream().mapToInt(Integer::intValue).toArray());
    }
}
