package dev.outrider.drafting;

import dev.outrider.spi.Coins;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DistributionBuffer;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;
import dev.outrider.spi.TokenHistory;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;

/// Grows trees whose nodes are drawn from the drafter's law: sampled chains, and trees with independent,
/// distinct or coupled siblings. The laws it reports are the arrays that were drawn from; coupled siblings
/// are a point mass ([dev.outrider.spi.TreePlan.Coupled] says why).
///
/// Where the law has fewer tokens than distinct siblings are wanted, the node gets fewer children.
///
/// @see "Miao et al. 2023 (SpecInfer); Chen et al. 2024 (Sequoia), section 3.2"
final class SampledTree implements TreeConstruction {
    /// How siblings relate.
    enum Siblings {
        INDEPENDENT,
        DISTINCT,
        /// The first finishers of the position's race.
        COUPLED
    }

    private final TreeTemplate template;
    private final Siblings siblings;
    private final SamplingPolicy policy;
    private final StopRule stopRule;
    private final DraftVocabulary vocabulary;

    SampledTree(
            TreeTemplate template,
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
    public DraftWithRows grow(
            DraftStepper stepper,
            int rootToken,
            TokenHistory committed,
            DraftBudget budget,
            Coins coins) {
        var tree = new DraftTreeBuilder(rootToken);
        var laws = DraftLaws.builder();
        new LevelRunner(stepper, tree)
                .grow(
                        template,
                        budget,
                        (frontier, level, below) -> {
                            var drawing = new Drawing(tree, committed, budget, laws, coins, below);
                            drawing.children(frontier, level);
                        });
        return tree.finish(
                switch (siblings) {
                    case INDEPENDENT -> new Selection.Independent(laws.build());
                    case DISTINCT -> new Selection.WithoutReplacement(laws.build());
                    case COUPLED -> new Selection.PointMass();
                });
    }

    private Law law(LevelRunner.Level level, int index, TokenHistory history) {
        var seen = policy.usesHistory() ? vocabulary.translate(history) : history;
        var buffer = new DistributionBuffer(vocabulary.width());
        buffer.fill(policy, level.logitsOf(index), seen);
        return new Law(vocabulary.widen(buffer.law()), vocabulary.widen(buffer.support()));
    }

    /// Draws the children of one level.
    private final class Drawing {
        private final DraftTreeBuilder tree;
        private final TokenHistory committed;
        private final DraftBudget budget;
        private final DraftLaws.Builder laws;
        private final Coins coins;
        private final List<FrontierNode> below;

        Drawing(
                DraftTreeBuilder tree,
                TokenHistory committed,
                DraftBudget budget,
                DraftLaws.Builder laws,
                Coins coins,
                List<FrontierNode> below) {
            this.tree = tree;
            this.committed = committed;
            this.budget = budget;
            this.laws = laws;
            this.coins = coins;
            this.below = below;
        }

        /// Nodes that share a row share its law.
        void children(List<FrontierNode> frontier, LevelRunner.Level level) {
            var lawOfRow = new HashMap<Integer, Law>();
            for (int i = 0; i < frontier.size() && tree.drafted() < budget.maxNodes(); i++) {
                int index = i;
                var parent = frontier.get(i);
                var law =
                        lawOfRow.computeIfAbsent(
                                level.indices()[i],
                                _ -> law(level, index, tree.history(committed, parent.node())));
                children(parent, law);
            }
        }

        /// Draws the planned children of a node, as many as the budget has left. A stop ends the growth before a draw or
        /// below a token that stays; no token is dropped for its value, as exactness demands (docs/algorithms.md I1).
        private void children(FrontierNode parent, Law law) {
            if (stopRule.readsEntropy() && !stopRule.guessesFrom(law.entropy())) {
                return;
            }
            int node = parent.node();
            laws.put(node, law.row(), law.support());
            var planned = parent.template().children();
            int wanted = Math.min(planned.size(), budget.maxNodes() - tree.drafted());
            int[] tokens =
                    switch (siblings) {
                        case INDEPENDENT -> independent(node, wanted, law, coins);
                        case DISTINCT ->
                                distinct(node, Math.min(wanted, law.support().size()), law, coins);
                        case COUPLED ->
                                coins.race(
                                        committed.length() + tree.depth(node), law.row(), wanted);
                    };
            for (int drawn = 0; drawn < tokens.length; drawn++) {
                int token = tokens[drawn];
                int child = tree.add(node, token);
                var subtree = planned.get(drawn);
                if (!subtree.children().isEmpty() && stopRule.continuesBelow(law.row()[token])) {
                    below.add(new FrontierNode(child, subtree));
                }
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
