package dev.outrider.testkit;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// A drafter whose distribution is a [TableModel], after a source if there is one
/// ([TableModel#after]).
///
/// @param model  the table
/// @param plan   any except a dynamic one, which is refused; a plan with only one child per node is
///     a chain
/// @param policy the drafter's own sampling
public record TableDrafter(TableModel model, TreePlan plan, SamplingPolicy policy)
        implements Drafter {
    @Override
    public DrafterTraits traits() {
        var shape = plan.maxNodes() == plan.maxDepth() ? TreeShape.CHAIN : TreeShape.TREE;
        return DrafterTraits.following(plan, policy.greedy()).shaped(shape);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new TableDraftSession(model.after(request.source()), plan, policy);
    }

    /// Drafts from a table, level by level.
    static final class TableDraftSession implements DraftSession {
        private final TableModel model;
        private final TreePlan plan;
        private final SamplingPolicy policy;
        private int[] committed = new int[0];

        TableDraftSession(TableModel model, TreePlan plan, SamplingPolicy policy) {
            this.model = model;
            this.plan = plan;
            this.policy = policy;
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            committed = prompt.clone();
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            int root = committed[committed.length - 1];
            var tree = TokenTree.builder(root);
            var distributions = DraftDistributions.builder();
            var level = List.of(new Frontier(0, committed, List.of()));
            for (int depth = 0; depth < Math.min(budget.maxDepth(), plan.maxDepth()); depth++) {
                var next = new ArrayList<Frontier>();
                for (var frontier : level) {
                    int room = budget.maxNodes() - (tree.size() - 1);
                    var ranks = ranksBelow(frontier.path()).stream().limit(room).toList();
                    double[] distribution = model.distribution(policy, frontier.prefix());
                    int[] tokens = choose(distribution, ranks, frontier, randomness);
                    if (tokens.length > 0) {
                        distributions.put(frontier.node(), distribution);
                    }
                    for (int i = 0; i < tokens.length; i++) {
                        int child = tree.add(frontier.node(), tokens[i]);
                        next.add(frontier.child(child, tokens[i], ranks.get(i)));
                    }
                }
                level = next;
            }
            var built = tree.build();
            return built.draftedNodes() == 0
                    ? Draft.empty(root)
                    : new Draft(built, selection(distributions.build()));
        }

        /// Returns the ranks of the children that the plan has below a node.
        private List<Integer> ranksBelow(List<Integer> path) {
            int depth = path.size();
            return switch (plan) {
                case TreePlan.Chain _ -> List.of(0);
                case TreePlan.LevelWidths(var widths) -> upTo(widths.get(depth));
                case TreePlan.SampledWithReplacement(var widths) -> upTo(widths.get(depth));
                case TreePlan.SampledWithoutReplacement(var widths) -> upTo(widths.get(depth));
                case TreePlan.Coupled(var widths) -> upTo(widths.get(depth));
                case TreePlan.RankPaths(var paths) -> lastRanks(paths, path);
                case TreePlan.SampledPaths(var paths, _) -> lastRanks(paths, path);
                case TreePlan.Dynamic _ ->
                        throw new IllegalArgumentException("a table drafter cannot follow " + plan);
            };
        }

        private static List<Integer> upTo(int width) {
            return IntStream.range(0, width).boxed().toList();
        }

        private static List<Integer> lastRanks(List<List<Integer>> paths, List<Integer> parent) {
            return paths.stream()
                    .filter(path -> path.size() == parent.size() + 1)
                    .filter(path -> path.subList(0, parent.size()).equals(parent))
                    .map(List::getLast)
                    .sorted()
                    .toList();
        }

        private Selection.Kind kind() {
            return plan.selection(policy.greedy());
        }

        private Selection selection(DraftDistributions distributions) {
            return switch (kind()) {
                case POINT_MASS -> new Selection.PointMass();
                case INDEPENDENT -> new Selection.Independent(distributions);
                case WITHOUT_REPLACEMENT -> new Selection.WithoutReplacement(distributions);
            };
        }

        private int[] choose(
                double[] distribution,
                List<Integer> ranks,
                Frontier frontier,
                Randomness randomness) {
            if (plan instanceof TreePlan.Coupled) {
                return ranks.isEmpty()
                        ? new int[0]
                        : randomness.gumbelTopK(
                                frontier.prefix().length, distribution, ranks.size());
            }
            return switch (kind()) {
                case POINT_MASS -> best(distribution, ranks);
                case INDEPENDENT ->
                        ranks.stream()
                                .mapToInt(i ->
                                        randomness.draw(
                                                Randomness.Role.DRAFT,
                                                frontier.node(),
                                                distribution))
                                .toArray();
                case WITHOUT_REPLACEMENT -> {
                    double[] left = distribution.clone();
                    var drawn = IntStream.builder();
                    for (int i = 0; i < ranks.size() && Arrays.stream(left).sum() > 0; i++) {
                        int token = randomness.draw(Randomness.Role.DRAFT, frontier.node(), left);
                        left[token] = 0;
                        drawn.add(token);
                    }
                    yield drawn.build().toArray();
                }
            };
        }

        private static int[] best(double[] distribution, List<Integer> ranks) {
            var tokens =
                    IntStream.range(0, distribution.length)
                            .boxed()
                            .sorted((a, b) -> Double.compare(distribution[b], distribution[a]))
                            .toList();
            return ranks.stream()
                    .filter(rank -> rank < tokens.size())
                    .mapToInt(tokens::get)
                    .toArray();
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            int[] emitted = verdict.emitted(draft.tree());
            int length = committed.length;
            committed = Arrays.copyOf(committed, length + emitted.length);
            System.arraycopy(emitted, 0, committed, length, emitted.length);
        }

        /// A node whose children are next, the tokens up to it, and its ranks.
        private record Frontier(int node, int[] prefix, List<Integer> path) {
            Frontier child(int child, int token, int rank) {
                var longer = Arrays.copyOf(prefix, prefix.length + 1);
                longer[prefix.length] = token;
                var ranks = new ArrayList<>(path);
                ranks.add(rank);
                return new Frontier(child, longer, List.copyOf(ranks));
            }
        }

        @Override
        public void close() {}
    }

    @Override
    public void close() {}
}
