package dev.outrider.drafting;

import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.drafting.SampledTree.Siblings;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.Collections;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Grows drafts of one plan: asks a [DraftStepper] for logits level by level, chooses tokens, and reports how they were chosen.
///
/// Nodes are ordered by level, then by the order of their parents, siblings in the order in which they
/// were drawn or by falling rank. A budget smaller than the plan cuts levels below `maxDepth`, then nodes
/// from the end of that order; a dynamic plan keeps the most probable nodes that fit. Only as many nodes of
/// a level are run as the plan needs to use up the budget, so a draft may be smaller than the budget if a node turns
/// out to have fewer successors than planned.
///
/// Confined to one thread.
public final class TreeExpander {
    private final TreePlan plan;
    private final TreeConstruction growth;

    /// @param plan       the shape
    /// @param policy     the drafter's own sampling; temperature 0 makes a chain greedy
    /// @param stopRule   ends drafts before the plan does
    /// @param vocabulary maps the network's logits to the target's tokens
    public TreeExpander(
            TreePlan plan, SamplingPolicy policy, StopRule stopRule, DraftVocabulary vocabulary) {
        this(plan, policy, stopRule, vocabulary, OperatorChain.none());
    }

    /// As the other constructor, for drafters that draw as the target does.
    ///
    /// @param operators the target's; drawn trees follow them, with the first state at every node. Ranked and dynamic trees do not
    public TreeExpander(
            TreePlan plan,
            SamplingPolicy policy,
            StopRule stopRule,
            DraftVocabulary vocabulary,
            OperatorChain operators) {
        this.plan = plan;
        Function<TreeTemplate, TreeConstruction> ranked =
                template -> new StaticTree(template, new LogitReader(policy, vocabulary), stopRule);
        BiFunction<TreeTemplate, Siblings, TreeConstruction> drawn =
                (template, siblings) ->
                        new SampledTree(
                                template, siblings, policy, stopRule, vocabulary, operators);
        this.growth =
                switch (plan) {
                    case TreePlan.Chain(int length) -> {
                        var template = TreeTemplate.ofWidths(Collections.nCopies(length, 1));
                        yield policy.greedy()
                                ? ranked.apply(template)
                                : drawn.apply(template, Siblings.INDEPENDENT);
                    }
                    case TreePlan.LevelWidths(var widths) ->
                            ranked.apply(TreeTemplate.ofWidths(widths));
                    case TreePlan.RankPaths(var paths) -> ranked.apply(TreeTemplate.ofPaths(paths));
                    case TreePlan.Dynamic dynamic ->
                            new DynamicTree(
                                    dynamic,
                                    DynamicTree.Kept.MAX_PROBABLE,
                                    new LogitReader(policy, vocabulary),
                                    stopRule);
                    case TreePlan.SampledWithReplacement(var widths) ->
                            drawn.apply(TreeTemplate.ofWidths(widths), Siblings.INDEPENDENT);
                    case TreePlan.SampledWithoutReplacement(var widths) ->
                            drawn.apply(TreeTemplate.ofWidths(widths), Siblings.DISTINCT);
                    case TreePlan.SampledPaths(var paths, boolean withReplacement) ->
                            drawn.apply(
                                    TreeTemplate.ofPaths(paths),
                                    withReplacement ? Siblings.INDEPENDENT : Siblings.DISTINCT);
                    case TreePlan.Coupled(var widths) ->
                            drawn.apply(TreeTemplate.ofWidths(widths), Siblings.COUPLED);
                };
    }

    private TreeExpander(TreePlan plan, TreeConstruction growth) {
        this.plan = plan;
        this.growth = growth;
    }

    /// Grows the beams of a beam search, which share their prefixes: `topK` beams of `depth` tokens, at most `totalNodes` nodes.
    /// Deterministic, as a dynamic plan is; the beams are the same, but their other candidates are left out.
    ///
    /// @param policy as of every expander
    /// @see "Cheng et al. 2024 (ReDrafter), section 3.2"
    public static TreeExpander ofBeam(
            TreePlan.Dynamic beam,
            SamplingPolicy policy,
            StopRule stopRule,
            DraftVocabulary vocabulary) {
        return new TreeExpander(
                beam,
                new DynamicTree(
                        beam,
                        DynamicTree.Kept.BEAMS,
                        new LogitReader(policy, vocabulary),
                        stopRule));
    }

    /// Grows one draft.
    ///
    /// @param stepper   the network, at the start of a round; not called when the budget is empty
    /// @param committed all committed tokens, the root last
    /// @param budget    limits of this round
    /// @param randomness     the round's randomness; a draw is keyed by the node whose successor is drawn
    public DraftWithRows expand(
            DraftStepper stepper,
            TokenHistory committed,
            DraftBudget budget,
            Randomness randomness) {
        int maxNodes = Math.min(budget.maxNodes(), plan.maxNodes());
        int maxDepth = Math.min(budget.maxDepth(), plan.maxDepth());
        return growth.grow(
                new TreeConstruction.Request(
                        stepper, committed, new DraftBudget(maxNodes, maxDepth), randomness));
    }

    /// Returns the most rows that [DraftStepper#step] runs in one round: a budget may allow any tree with as many nodes as the
    /// plan's, and at least one node has no children.
    public static int maxRows(TreePlan plan) {
        return switch (plan) {
            case TreePlan.Chain _,
                    TreePlan.LevelWidths _,
                    TreePlan.SampledWithReplacement _,
                    TreePlan.SampledWithoutReplacement _,
                    TreePlan.Coupled _,
                    TreePlan.RankPaths _,
                    TreePlan.SampledPaths _ ->
                    plan.maxNodes() - 1;
            case TreePlan.Dynamic(int topK, int depth, int totalNodes) ->
                    Math.multiplyExact(Math.min(topK, totalNodes), depth - 1);
        };
    }
}
