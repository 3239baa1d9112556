package dev.outrider.testkit;

import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.SelectionKind;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.TreePlan;
import dev.outrider.spi.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Drafts from a table, level by level.
final class TableDraftSession implements DraftSession {
    private final TableModel model;
    private final TreePlan plan;
    private final SamplingPolicy policy;
    private int[] committed = new int[0];
    private TokenTree lastTree = TokenTree.rootOnly(0);

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
    public Draft propose(DraftBudget budget, Coins coins) {
        int root = committed[committed.length - 1];
        var tree = TokenTree.builder(root);
        var laws = DraftLaws.builder();
        var level = List.of(new Frontier(0, committed));
        List<Integer> widths = widths();
        for (int depth = 0; depth < Math.min(budget.maxDepth(), widths.size()); depth++) {
            var next = new ArrayList<Frontier>();
            for (var frontier : level) {
                int room = budget.maxNodes() - (tree.size() - 1);
                double[] law = model.law(policy, frontier.prefix());
                int[] tokens = choose(law, Math.min(room, widths.get(depth)), frontier, coins);
                if (tokens.length > 0) {
                    laws.put(frontier.node(), law);
                }
                for (int token : tokens) {
                    next.add(frontier.child(tree.add(frontier.node(), token), token));
                }
            }
            level = next;
        }
        lastTree = tree.build();
        return lastTree.draftedNodes() == 0
                ? Draft.empty(root)
                : new Draft(lastTree, selection(laws.build()));
    }

    private List<Integer> widths() {
        return switch (plan) {
            case TreePlan.Chain(int length) -> IntStream.range(0, length).mapToObj(i -> 1).toList();
            case TreePlan.LevelWidths(var widths) -> widths;
            case TreePlan.SampledWithReplacement(var widths) -> widths;
            case TreePlan.SampledWithoutReplacement(var widths) -> widths;
            case TreePlan.Coupled(var widths) -> widths;
            case TreePlan.RankPaths _, TreePlan.SampledPaths _, TreePlan.Dynamic _ ->
                    throw new IllegalArgumentException("a table drafter cannot follow " + plan);
        };
    }

    private SelectionKind kind() {
        return plan.selection(policy.greedy());
    }

    private Selection selection(DraftLaws laws) {
        return switch (kind()) {
            case POINT_MASS -> new Selection.PointMass();
            case INDEPENDENT -> new Selection.Independent(laws);
            case WITHOUT_REPLACEMENT -> new Selection.WithoutReplacement(laws);
        };
    }

    private int[] choose(double[] law, int width, Frontier frontier, Coins coins) {
        if (plan instanceof TreePlan.Coupled) {
            return width == 0 ? new int[0] : coins.race(frontier.prefix().length, law, width);
        }
        return switch (kind()) {
            case POINT_MASS -> best(law, width);
            case INDEPENDENT ->
                    IntStream.range(0, width)
                            .map(i -> coins.draw(StreamRole.DRAFT, frontier.node(), law))
                            .toArray();
            case WITHOUT_REPLACEMENT -> {
                double[] left = law.clone();
                var drawn = IntStream.builder();
                for (int i = 0; i < width && Arrays.stream(left).sum() > 0; i++) {
                    int token = coins.draw(StreamRole.DRAFT, frontier.node(), left);
                    left[token] = 0;
                    drawn.add(token);
                }
                yield drawn.build().toArray();
            }
        };
    }

    private static int[] best(double[] law, int width) {
        return IntStream.range(0, law.length)
                .boxed()
                .sorted((a, b) -> Double.compare(law[b], law[a]))
                .limit(width)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Override
    public void observe(Verdict verdict, TargetScores scores) {
        int[] emitted = verdict.emitted(lastTree);
        int length = committed.length;
        committed = Arrays.copyOf(committed, length + emitted.length);
        System.arraycopy(emitted, 0, committed, length, emitted.length);
    }

    @Override
    public void close() {}

    /// A node whose children come next, and the tokens up to it.
    private record Frontier(int node, int[] prefix) {
        Frontier child(int child, int token) {
            var longer = Arrays.copyOf(prefix, prefix.length + 1);
            longer[prefix.length] = token;
            return new Frontier(child, longer);
        }
    }
}
