package dev.outrider.drafting;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.OperatorRow;
import dev.outrider.drafting.TemplateGrowth.FrontierNode;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Grows trees whose nodes are drawn from the drafter's distribution: sampled chains, and trees with independent,
/// distinct or coupled siblings. The distributions it reports are the arrays that were drawn from; coupled siblings
/// are a point mass ([dev.outrider.spi.draft.TreePlan.Coupled] says why).
///
/// If the distribution has fewer tokens than distinct siblings are wanted, the node gets fewer children.
///
/// @see "Miao et al. 2023 (SpecInfer); Chen et al. 2024 (Sequoia), section 3.2"
final class SampledTree implements TreeConstruction {
    /// The relation of siblings.
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
    private final Optional<OperatorRow> operators;
    private final double state;

    SampledTree(
            TreeTemplate template,
            Siblings siblings,
            SamplingPolicy policy,
            StopRule stopRule,
            DraftVocabulary vocabulary,
            OperatorChain operators) {
        this.template = template;
        this.siblings = siblings;
        this.policy = policy;
        this.stopRule = stopRule;
        this.vocabulary = vocabulary;
        this.operators =
                operators.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new OperatorRow(operators, vocabulary.width()));
        this.state = operators.firstState();
    }

    @Override
    public DraftWithRows grow(Request request) {
        var tree = request.root();
        var distributions = DraftDistributions.builder();
        TemplateGrowth.grow(
                tree,
                template,
                request,
                (frontier, level, below) ->
                        new Drawing(tree, request, distributions, below).children(frontier, level));
        return tree.finish(
                switch (siblings) {
                    case INDEPENDENT -> new Selection.Independent(distributions.build());
                    case DISTINCT -> new Selection.WithoutReplacement(distributions.build());
                    case COUPLED -> new Selection.PointMass();
                });
    }

    private Distribution distribution(LevelSteps.Level level, int index, TokenHistory history) {
        var seen = policy.usesHistory() ? vocabulary.translate(history) : history;
        var buffer = new DistributionBuffer(vocabulary.width());
        if (operators.isPresent()) {
            operators.get().fill(policy, level.logitsOf(index), history, state, buffer);
        } else {
            buffer.fill(policy, level.logitsOf(index), seen);
        }
        return new Distribution(
                vocabulary.widen(buffer.distribution()), vocabulary.widen(buffer.support()));
    }

    /// Draws the children of one level.
    private final class Drawing {
        private final DraftTreeBuilder tree;
        private final Request request;
        private final DraftDistributions.Builder distributions;
        private final List<FrontierNode> below;

        Drawing(
                DraftTreeBuilder tree,
                Request request,
                DraftDistributions.Builder distributions,
                List<FrontierNode> below) {
            this.tree = tree;
            this.request = request;
            this.distributions = distributions;
            this.below = below;
        }

        private int left() {
            return request.budget().maxNodes() - tree.drafted();
        }

        /// Nodes that share a row share its distribution, unless it depends on earlier tokens.
        void children(List<FrontierNode> frontier, LevelSteps.Level level) {
            var distributionOfRow = new HashMap<Integer, Distribution>();
            for (int i = 0; i < frontier.size() && left() > 0; i++) {
                int index = i;
                var parent = frontier.get(i);
                var distribution =
                        distributionOfRow.computeIfAbsent(
                                policy.usesHistory() || operators.isPresent()
                                        ? i
                                        : level.indices()[i],
                                _ ->
                                        distribution(
                                                level,
                                                index,
                                                tree.history(request.committed(), parent.node())));
                if (level.guessesFrom(i)) {
                    children(parent, distribution);
                }
            }
        }

        /// Draws the planned children of a node, as many as fit into the budget. A stop ends the growth before a draw or
        /// below a token that stays; no token is dropped for its value, as exactness demands (docs/reference/algorithms.md I1).
        private void children(FrontierNode parent, Distribution distribution) {
            if (!stopRule.guessesFrom(distribution::entropy)) {
                return;
            }
            var randomness = request.randomness();
            int node = parent.node();
            distributions.put(node, distribution.row(), distribution.support());
            var planned = parent.template().children();
            int wanted = Math.min(planned.size(), left());
            int[] tokens =
                    switch (siblings) {
                        case INDEPENDENT -> independent(node, wanted, distribution, randomness);
                        case DISTINCT ->
                                distinct(
                                        node,
                                        Math.min(wanted, distribution.support().size()),
                                        distribution,
                                        randomness);
                        case COUPLED ->
                                randomness.gumbelTopK(
                                        request.committed().length() + tree.depth(node),
                                        distribution.row(),
                                        wanted);
                    };
            for (int drawn = 0; drawn < tokens.length; drawn++) {
                int token = tokens[drawn];
                int child = tree.add(node, token);
                var subtree = planned.get(drawn);
                if (!subtree.children().isEmpty()
                        && stopRule.continuesBelow(distribution.row()[token])) {
                    below.add(new FrontierNode(child, subtree));
                }
            }
        }
    }

    private static int[] independent(
            int node, int count, Distribution distribution, Randomness randomness) {
        return IntStream.range(0, count)
                .map(_ ->
                        randomness.draw(
                                Randomness.Role.DRAFT,
                                node,
                                distribution.row(),
                                distribution.support()))
                .toArray();
    }

    private static int[] distinct(
            int node, int count, Distribution distribution, Randomness randomness) {
        var tokens = new int[count];
        double[] urn = count > 1 ? distribution.row().clone() : distribution.row();
        for (int drawn = 0; drawn < count; drawn++) {
            tokens[drawn] =
                    randomness.draw(Randomness.Role.DRAFT, node, urn, distribution.support());
            if (count > 1) {
                urn[tokens[drawn]] = 0;
            }
        }
        return tokens;
    }

    /// The distribution of a node's children, over the target's vocabulary.
    private record Distribution(double[] row, Support support) {
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
