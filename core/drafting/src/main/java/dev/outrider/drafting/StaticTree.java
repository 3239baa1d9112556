package dev.outrider.drafting;

import dev.outrider.drafting.TemplateGrowth.FrontierNode;
import dev.outrider.spi.draft.Selection;
import java.util.List;

/// Grows trees whose nodes are chosen by rank: greedy chains, level widths, explicit rank paths. A
/// deterministic function of the history.
///
/// @see "Cai et al. 2024 (Medusa), section 3.2"
final class StaticTree implements TreeConstruction {
    private final TreeTemplate template;
    private final LogitReader reader;
    private final StopRule stopRule;

    /// The best tokens of the row that was read last, which nodes of a level may share.
    private int[] best = new int[0];

    StaticTree(TreeTemplate template, LogitReader reader, StopRule stopRule) {
        this.template = template;
        this.reader = reader;
        this.stopRule = stopRule;
    }

    @Override
    public DraftWithRows grow(Request request) {
        var tree = request.root();
        TemplateGrowth.grow(
                tree,
                template,
                request,
                (frontier, level, below) -> {
                    for (int i = 0; i < frontier.size(); i++) {
                        addChildren(tree, frontier.get(i), level, i, request, below);
                    }
                });
        return tree.finish(new Selection.PointMass());
    }

    private void addChildren(
            DraftTreeBuilder tree,
            FrontierNode parent,
            LevelSteps.Level level,
            int index,
            Request request,
            List<FrontierNode> below) {
        boolean read =
                index > 0
                        && level.indices()[index] == level.indices()[index - 1]
                        && !reader.usesHistory();
        if (!read) {
            reader.read(level.logitsOf(index), tree.history(request.committed(), parent.node()));
            best = new int[0];
        }
        if (!level.guessesFrom(index) || !stopRule.guessesFrom(reader::entropy)) {
            return;
        }
        int ranks = parent.template().ranksNeeded();
        if (best.length < ranks) {
            best = reader.top(ranks);
        }
        int[] top = best;
        double normaliser = stopRule.readsProbabilities() ? reader.logNormaliser() : 0;
        for (var child : parent.template().children()) {
            if (child.rank() >= top.length || tree.drafted() == request.budget().maxNodes()) {
                return;
            }
            int id = top[child.rank()];
            int node = tree.add(parent.node(), reader.token(id));
            boolean goesOn =
                    !stopRule.readsProbabilities()
                            || stopRule.continuesBelow(Math.exp(reader.score(id) - normaliser));
            if (goesOn && !child.children().isEmpty()) {
                below.add(new FrontierNode(node, child));
            }
        }
    }
}
