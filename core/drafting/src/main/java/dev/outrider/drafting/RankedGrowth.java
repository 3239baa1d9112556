package dev.outrider.drafting;

import dev.outrider.spi.Coins;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.Selection;
import dev.outrider.spi.TokenHistory;
import java.util.ArrayList;
import java.util.List;

/// Grows trees whose nodes are chosen by rank: greedy chains, level widths, explicit rank paths. A
/// deterministic function of the history.
///
/// @see "Cai et al. 2024 (Medusa), section 3.2"
final class RankedGrowth implements Growth {
    private final RankTemplate template;
    private final LogitReader reader;
    private final StopRule stopRule;

    RankedGrowth(RankTemplate template, LogitReader reader, StopRule stopRule) {
        this.template = template;
        this.reader = reader;
        this.stopRule = stopRule;
    }

    @Override
    public Expansion grow(
            DraftStepper stepper,
            int rootToken,
            TokenHistory committed,
            DraftBudget budget,
            Coins coins) {
        var nodes = new Nodes(rootToken);
        if (budget.maxNodes() > 0) {
            var steps = new Steps(stepper, nodes);
            var places = List.of(new Place(0, template));
            var level = steps.root();
            for (int depth = 0; depth < budget.maxDepth(); depth++) {
                if (depth > 0) {
                    level = steps.run(places.stream().map(Place::node).toList());
                }
                var below = new ArrayList<Place>();
                for (int i = 0; i < places.size(); i++) {
                    addChildren(nodes, places.get(i), level, i, committed, budget, below);
                }
                places = Place.affordable(below, budget.maxNodes() - nodes.drafted());
                if (places.isEmpty()) {
                    break;
                }
            }
        }
        return nodes.finish(new Selection.PointMass());
    }

    private void addChildren(
            Nodes nodes,
            Place place,
            Steps.Level level,
            int index,
            TokenHistory committed,
            DraftBudget budget,
            List<Place> below) {
        reader.read(level.logitsOf(index), nodes.history(committed, place.node()));
        if (stopRule.readsEntropy() && !stopRule.guessesFrom(reader.entropy())) {
            return;
        }
        var top = reader.top(place.template().ranksNeeded());
        double normaliser = stopRule.readsProbabilities() ? reader.logNormaliser() : 0;
        for (var child : place.template().children()) {
            if (child.rank() >= top.length || nodes.drafted() == budget.maxNodes()) {
                return;
            }
            int id = top[child.rank()];
            int node = nodes.add(place.node(), reader.token(id));
            boolean goesOn =
                    !stopRule.readsProbabilities()
                            || stopRule.continuesBelow(Math.exp(reader.score(id) - normaliser));
            if (goesOn && !child.children().isEmpty()) {
                below.add(new Place(node, child));
            }
        }
    }
}
