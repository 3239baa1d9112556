package dev.outrider.drafting;

import dev.outrider.spi.Coins;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;
import dev.outrider.spi.TokenHistory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Grows trees whose nodes are drawn from the drafter's law: sampled chains, and trees with independent,
/// distinct or coupled siblings. The laws it reports are the arrays that were drawn from; coupled siblings
/// are a point mass ([dev.outrider.spi.TreePlan.Coupled] says why).
///
/// Where the law has fewer tokens than distinct siblings are wanted, the node gets fewer children.
///
/// @see "Miao et al. 2023 (SpecInfer); Chen et al. 2024 (Sequoia), section 3.2"
final class SampledGrowth implements Growth {
    /// How siblings relate.
    enum Siblings {
        INDEPENDENT,
        DISTINCT,
        /// The first finishers of the position's race.
        COUPLED
    }

    private final RankTemplate template;
    private final Siblings siblings;
    private final SamplingPolicy policy;
    private final StopRule stopRule;
    private final DraftVocabulary vocabulary;
    private final Support support = new Support();

    SampledGrowth(
            RankTemplate template,
            Siblings siblings,
            SamplingPolicy policy,
            StopRule stopRule,
            DraftVocabulary vocabulary) {
        this.template = template;
        this.siblings = siblings;
        this.policy = policy;
        this.stopRule = stopRule;
        this.vocabulary = vocabulary;
    }

    @Override
    public Expansion grow(
            DraftStepper stepper,
            int rootToken,
            TokenHistory committed,
            DraftBudget budget,
            Coins coins) {
        var nodes = new Nodes(rootToken);
        var laws = DraftLaws.builder();
        if (budget.maxNodes() > 0) {
            var steps = new Steps(stepper, nodes);
            var places = List.of(new Place(0, template));
            var level = steps.root();
            for (int depth = 0; depth < budget.maxDepth(); depth++) {
                if (depth > 0) {
                    level = steps.run(places.stream().map(Place::node).toList());
                }
                var lawOfRow =
                        new ArrayList<Optional<Law>>(
                                Collections.nCopies(places.size(), Optional.empty()));
                var below = new ArrayList<Place>();
                for (int i = 0; i < places.size() && nodes.drafted() < budget.maxNodes(); i++) {
                    var place = places.get(i);
                    int row = level.indices()[i];
                    if (lawOfRow.get(row).isEmpty()) {
                        var history = nodes.history(committed, place.node());
                        lawOfRow.set(row, Optional.of(law(level, i, history)));
                    }
                    int most = budget.maxNodes() - nodes.drafted();
                    int position = committed.length() + nodes.depth(place.node());
                    drawChildren(
                            nodes,
                            place,
                            position,
                            most,
                            lawOfRow.get(row).orElseThrow(),
                            laws,
                            coins,
                            below);
                }
                places = Place.affordable(below, budget.maxNodes() - nodes.drafted());
                if (places.isEmpty()) {
                    break;
                }
            }
        }
        return nodes.finish(
                switch (siblings) {
                    case INDEPENDENT -> new Selection.Independent(laws.build());
                    case DISTINCT -> new Selection.WithoutReplacement(laws.build());
                    case COUPLED -> new Selection.PointMass();
                });
    }

    private Law law(Steps.Level level, int index, TokenHistory history) {
        var seen = policy.usesHistory() ? vocabulary.translate(history) : history;
        var law = new double[vocabulary.width()];
        policy.law(level.logitsOf(index), seen, law, support);
        return new Law(vocabulary.widen(law), vocabulary.widen(support));
    }

    /// Draws the planned children of a node, at most `most`; a child's subtree depends on how many were drawn before it
    /// and never on its token, as exactness demands (algorithms A0, I1).
    private void drawChildren(
            Nodes nodes,
            Place place,
            int position,
            int most,
            Law law,
            DraftLaws.Builder laws,
            Coins coins,
            List<Place> below) {
        if (stopRule.readsEntropy() && !stopRule.guessesFrom(law.entropy())) {
            return;
        }
        int node = place.node();
        laws.put(node, law.row(), law.support());
        var planned = place.template().children();
        int wanted = Math.min(planned.size(), most);
        int[] tokens =
                switch (siblings) {
                    case INDEPENDENT -> independent(node, wanted, law, coins);
                    case DISTINCT ->
                            distinct(node, Math.min(wanted, law.support().size()), law, coins);
                    case COUPLED -> coins.race(position, law.row(), wanted);
                };
        for (int drawn = 0; drawn < tokens.length; drawn++) {
            int token = tokens[drawn];
            int child = nodes.add(node, token);
            var subtree = planned.get(drawn);
            if (!subtree.children().isEmpty() && stopRule.continuesBelow(law.row()[token])) {
                below.add(new Place(child, subtree));
            }
        }
    }

    private static int[] independent(int node, int count, Law law, Coins coins) {
        return IntStream.range(0, count)
                .map(_ -> coins.draw(StreamRole.DRAFT, node, law.row(), law.support()))
                .toArray();
    }

    private static int[] distinct(int node, int count, Law law, Coins coins) {
        var tokens = new int[count];
        double[] urn = count > 1 ? law.row().clone() : law.row();
        for (int drawn = 0; drawn < count; drawn++) {
            tokens[drawn] = coins.draw(StreamRole.DRAFT, node, urn, law.support());
            if (count > 1) {
                urn[tokens[drawn]] = 0;
            }
        }
        return tokens;
    }

    /// What children of a node are drawn from, over the target's vocabulary.
    private record Law(double[] row, Support support) {
        double entropy() {
            double entropy = 0;
            for (int index = 0; index < support.size(); index++) {
                double probability = row[support.token(index)];
                entropy -= probability * Math.log(probability);
            }
            return entropy;
        }
    }
}
