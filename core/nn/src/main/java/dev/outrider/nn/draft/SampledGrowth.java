package dev.outrider.nn.draft;

import dev.outrider.spi.Coins;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.TokenHistory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Grows trees whose nodes are drawn from the drafter's law: sampled chains, and trees with independent or
/// distinct siblings. The laws it reports are the arrays that were drawn from.
///
/// Where the law has fewer tokens than distinct siblings are wanted, the node gets fewer children.
///
/// @see "Miao et al. 2023 (SpecInfer); Chen et al. 2024 (Sequoia), section 3.2"
final class SampledGrowth implements Growth {
    /// How siblings relate.
    enum Siblings {
        INDEPENDENT,
        DISTINCT
    }

    private final List<Integer> widths;
    private final Siblings siblings;
    private final SamplingPolicy policy;
    private final StopRule stopRule;
    private final DraftVocabulary vocabulary;

    SampledGrowth(
            List<Integer> widths,
            Siblings siblings,
            SamplingPolicy policy,
            StopRule stopRule,
            DraftVocabulary vocabulary) {
        this.widths = widths;
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
            var frontier = List.of(0);
            var level = steps.root();
            for (int depth = 0; depth < budget.maxDepth(); depth++) {
                if (depth > 0) {
                    level = steps.run(frontier);
                }
                var lawOfRow = new double[frontier.size()][];
                var below = new ArrayList<Integer>();
                for (int i = 0; i < frontier.size(); i++) {
                    int wanted = Math.min(widths.get(depth), budget.maxNodes() - nodes.drafted());
                    if (wanted == 0) {
                        break;
                    }
                    int node = frontier.get(i);
                    int row = level.indices()[i];
                    if (lawOfRow[row] == null) {
                        lawOfRow[row] = law(level, i, nodes.history(committed, node));
                    }
                    drawChildren(nodes, node, wanted, lawOfRow[row], laws, coins, below);
                }
                if (depth + 1 == budget.maxDepth()) {
                    break;
                }
                frontier =
                        affordable(
                                below, widths.get(depth + 1), budget.maxNodes() - nodes.drafted());
                if (frontier.isEmpty()) {
                    break;
                }
            }
        }
        return nodes.finish(
                switch (siblings) {
                    case INDEPENDENT -> new Selection.Independent(laws.build());
                    case DISTINCT -> new Selection.WithoutReplacement(laws.build());
                });
    }

    private double[] law(Steps.Level level, int index, TokenHistory history) {
        return vocabulary.widen(policy.law(level.logitsOf(index), vocabulary.width(), history));
    }

    private void drawChildren(
            Nodes nodes,
            int node,
            int wanted,
            double[] law,
            DraftLaws.Builder laws,
            Coins coins,
            List<Integer> below) {
        if (stopRule.readsEntropy() && !stopRule.guessesFrom(entropy(law))) {
            return;
        }
        laws.put(node, law);
        int children =
                switch (siblings) {
                    case INDEPENDENT -> wanted;
                    case DISTINCT -> Math.min(wanted, support(law));
                };
        boolean shrinks = siblings == Siblings.DISTINCT && children > 1;
        var urn = shrinks ? law.clone() : law;
        for (int drawn = 0; drawn < children; drawn++) {
            int token = coins.draw(StreamRole.DRAFT, node, urn);
            int child = nodes.add(node, token);
            if (stopRule.continuesBelow(law[token])) {
                below.add(child);
            }
            if (shrinks) {
                urn[token] = 0;
            }
        }
    }

    private static List<Integer> affordable(List<Integer> nodes, int width, int nodesLeft) {
        int runs = Math.min(nodes.size(), Math.ceilDiv(nodesLeft, width));
        return nodes.subList(0, runs);
    }

    private static int support(double[] law) {
        return (int) Arrays.stream(law).filter(probability -> probability > 0).count();
    }

    private static double entropy(double[] law) {
        double entropy = 0;
        for (double probability : law) {
            if (probability > 0) {
                entropy -= probability * Math.log(probability);
            }
        }
        return entropy;
    }
}
