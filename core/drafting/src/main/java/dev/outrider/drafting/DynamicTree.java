package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Grows a beam ([ProductTree] where nodes of a level have one distribution) and keeps the candidates with the highest path probability under the drafter at
/// temperature 1. A deterministic function of the history.
///
/// A child is never more probable than its parent, so the best candidates contain all their ancestors
/// except for ties; these are broken by smaller depth, then by earlier creation. Beam nodes that cannot
/// beat the candidates already found are not run; the draft is the same as if they were.
///
/// @see "Li et al. 2024 (EAGLE-2), section 4"
final class DynamicTree implements TreeConstruction {
    private final TreePlan.Dynamic plan;
    private final LogitReader reader;
    private final StopRule stopRule;

    DynamicTree(TreePlan.Dynamic plan, LogitReader reader, StopRule stopRule) {
        this.plan = plan;
        this.reader = reader;
        this.stopRule = stopRule;
    }

    @Override
    public DraftWithRows grow(
            DraftStepper stepper,
            int rootToken,
            TokenHistory committed,
            DraftBudget budget,
            Randomness randomness) {
        if (stepper.dependence() == DraftStepper.Dependence.DEPTH && !reader.usesHistory()) {
            return new ProductTree(plan.topK(), reader, stopRule)
                    .grow(stepper, rootToken, committed, budget);
        }
        var candidates = new Candidates(rootToken);
        int total = budget.maxNodes();
        if (total > 0) {
            int width = Math.min(plan.topK(), total);
            var steps = new LevelRunner(stepper, candidates.nodes);
            var level = steps.root();
            for (int depth = 1; ; depth++) {
                int before = candidates.nodes.size();
                for (int i = 0; i < level.frontier().size(); i++) {
                    addChildren(candidates, level, i, committed, width);
                }
                if (depth == budget.maxDepth()) {
                    break;
                }
                var beam = beam(candidates, before, width, total);
                if (beam.isEmpty()) {
                    break;
                }
                level = steps.run(beam);
            }
        }
        return candidates.best(total).finish(new Selection.PointMass());
    }

    private void addChildren(
            Candidates candidates,
            LevelRunner.Level level,
            int index,
            TokenHistory committed,
            int width) {
        int parent = level.frontier().get(index);
        reader.read(level.logitsOf(index), candidates.nodes.history(committed, parent));
        if (!level.guessesFrom(index) || !stopRule.guessesFrom(reader::entropy)) {
            return;
        }
        var top = reader.top(width);
        double normaliser = reader.logNormaliser();
        for (int id : top) {
            candidates.add(parent, reader.token(id), Math.min(0, reader.score(id) - normaliser));
        }
    }

    /// The nodes of the newest level to go on from: the best `width` of it, without those the stop rule
    /// ends at and those whose children would be worse than `total` candidates there are already.
    private List<Integer> beam(Candidates candidates, int from, int width, int total) {
        double toBeat = candidates.scoreOfRank(total);
        return IntStream.range(from, candidates.nodes.size())
                .boxed()
                .sorted(candidates.bestFirst())
                .limit(width)
                .filter(node -> candidates.scores[node] > toBeat)
                .filter(node -> stopRule.continuesBelow(candidates.probability(node)))
                .toList();
    }

    /// Everything the beam has seen, with the logarithms of the path probabilities.
    private static final class Candidates {
        final DraftTreeBuilder nodes;
        double[] scores = new double[16];

        Candidates(int rootToken) {
            this.nodes = new DraftTreeBuilder(rootToken);
        }

        void add(int parent, int token, double logProbability) {
            int node = nodes.add(parent, token);
            if (node == scores.length) {
                scores = Arrays.copyOf(scores, 2 * node);
            }
            scores[node] = scores[parent] + logProbability;
        }

        double probability(int node) {
            return Math.exp(scores[node] - scores[nodes.parent(node)]);
        }

        /// The `rank`-th largest score, counted from 1; minus infinity when there are fewer.
        double scoreOfRank(int rank) {
            if (nodes.drafted() < rank) {
                return Double.NEGATIVE_INFINITY;
            }
            var sorted = Arrays.copyOfRange(scores, 1, nodes.size());
            Arrays.sort(sorted);
            return sorted[sorted.length - rank];
        }

        Comparator<Integer> bestFirst() {
            return Comparator.<Integer>comparingDouble(node -> -scores[node])
                    .thenComparingInt(nodes::depth)
                    .thenComparingInt(node -> node);
        }

        /// The best `total` candidates in the order of their creation, which puts parents before children.
        DraftTreeBuilder best(int total) {
            var kept =
                    IntStream.range(1, nodes.size())
                            .boxed()
                            .sorted(bestFirst())
                            .limit(total)
                            .sorted()
                            .toList();
            var chosen = new DraftTreeBuilder(nodes.token(0));
            var place = new int[nodes.size()];
            for (int node : kept) {
                int copy = chosen.add(place[nodes.parent(node)], nodes.token(node));
                chosen.ranIn(copy, nodes.row(node));
                place[node] = copy;
            }
            return chosen;
        }
    }
}
