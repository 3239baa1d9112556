package dev.outrider.drafting;

import dev.outrider.drafting.DraftStepper.Dependence;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.IntStream;

/// Grows a beam ([ProductTree] if nodes of a level have one distribution) and keeps the candidates with the highest path
/// probability under the drafter at temperature 1. A deterministic function of the history.
///
/// A child is never more probable than its parent, so the best candidates contain all their ancestors
/// except for ties; these are broken by smaller depth, then by earlier creation. Beam nodes that cannot
/// beat the candidates already found are not run; the draft is the same as if they were.
///
/// The draft can also be the beams themselves, which share their prefixes; if the budget is too small, the least probable beams are
/// cut from their ends.
///
/// @see "Li et al. 2024 (EAGLE-2), section 4; Cheng et al. 2024 (ReDrafter), section 3.2"
record DynamicTree(TreePlan.Dynamic plan, Kept kept, LogitReader reader, StopRule stopRule)
        implements TreeConstruction {
    /// The candidates of a beam that are in the draft.
    enum Kept {
        MAX_PROBABLE,
        /// The candidates on the paths to the remaining beams.
        BEAMS
    }

    @Override
    public DraftWithRows grow(Request request) {
        if (kept == Kept.MAX_PROBABLE
                && request.stepper().dependence() == Dependence.DEPTH
                && !reader.usesHistory()) {
            return new ProductTree(plan.topK(), reader, stopRule).grow(request);
        }
        int total = request.budget().maxNodes();
        int width = Math.min(plan.topK(), total);
        var candidates = new Candidates(request.root());
        var steps = new LevelSteps(request.stepper(), candidates.nodes);
        var ends = new ArrayList<Integer>();
        var beam = total == 0 ? List.<Integer>of() : List.of(0);
        for (int depth = 1; !beam.isEmpty(); depth++) {
            var level = depth == 1 ? steps.root() : steps.run(beam);
            int before = candidates.nodes.size();
            for (int i = 0; i < level.frontier().size(); i++) {
                addChildren(candidates, level, i, request.committed(), width);
            }
            var best = candidates.best(before, width);
            var next =
                    depth == request.budget().maxDepth()
                            ? List.<Integer>of()
                            : going(candidates, best, total);
            ends.addAll(best.stream().filter(node -> !next.contains(node)).toList());
            beam = next;
        }
        var nodes =
                switch (kept) {
                    case MAX_PROBABLE -> candidates.best(1, total);
                    case BEAMS -> candidates.onTheWay(ends, total);
                };
        return candidates.draft(nodes).finish(new Selection.PointMass());
    }

    private void addChildren(
            Candidates candidates,
            LevelSteps.Level level,
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

    /// Returns the beams to continue: without those that the stop rule ends, and, if the most probable candidates are kept, without
    /// those whose children would be worse than `total` existing candidates.
    private List<Integer> going(Candidates candidates, List<Integer> beams, int total) {
        double toBeat =
                kept == Kept.MAX_PROBABLE
                        ? candidates.scoreOfRank(total)
                        : Double.NEGATIVE_INFINITY;
        return beams.stream()
                .filter(node -> candidates.scores[node] > toBeat)
                .filter(node -> stopRule.continuesBelow(candidates.probability(node)))
                .toList();
    }

    /// All candidates of the beam, with the logarithms of the path probabilities.
    private static final class Candidates {
        final DraftTreeBuilder nodes;
        double[] scores = new double[16];

        Candidates(DraftTreeBuilder root) {
            this.nodes = root;
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

        /// The best `count` candidates from a node on, best first.
        List<Integer> best(int from, int count) {
            return IntStream.range(from, nodes.size())
                    .boxed()
                    .sorted(bestFirst())
                    .limit(count)
                    .toList();
        }

        /// Returns at most `total` nodes on the paths to the given ends, or the ends themselves; paths to the most probable ends
        /// come first.
        List<Integer> onTheWay(List<Integer> ends, int total) {
            var found = new LinkedHashSet<Integer>();
            for (int end : ends.stream().sorted(bestFirst()).toList()) {
                var path = new ArrayDeque<Integer>();
                for (int node = end; node != 0; node = nodes.parent(node)) {
                    path.push(node);
                }
                for (int node : path) {
                    if (found.size() < total) {
                        found.add(node);
                    }
                }
            }
            return List.copyOf(found);
        }

        /// Some candidates, with their parents, in the order of their creation, which puts parents before children.
        DraftTreeBuilder draft(List<Integer> kept) {
            var chosen = new DraftTreeBuilder(nodes.token(0));
            var place = new int[nodes.size()];
            for (int node : kept.stream().sorted().toList()) {
                int copy = chosen.add(place[nodes.parent(node)], nodes.token(node));
                chosen.ranIn(copy, nodes.row(node));
                place[node] = copy;
            }
            return chosen;
        }
    }
}
