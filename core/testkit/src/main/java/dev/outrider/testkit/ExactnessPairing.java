package dev.outrider.testkit;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.List;
import java.util.Optional;

/// A way to draft and a rule: one case of [DrafterExactness].
///
/// @param plan      shape of the drafts
/// @param sampling  the drafter's own; the target's if empty
/// @param stopBelow drafting stops after a token with a smaller probability, and the token stays; 0
///     is off
/// @param rule      judges the drafts
/// @param rounds    rounds to enumerate, at least 1; the work grows exponentially
public record ExactnessPairing(
        TreePlan plan,
        Optional<SamplingPolicy> sampling,
        double stopBelow,
        AcceptanceRule rule,
        int rounds) {
    /// Sampling that leaves out the least probable of three tokens.
    static final SamplingPolicy TRUNCATED = new SamplingPolicy(1.3, 2, 1, 0, 1);

    private static final List<List<Integer>> SHAPE =
            List.of(List.of(0), List.of(1), List.of(1, 0), List.of(1, 1), List.of(1, 0, 0));

    /// Returns a tree whose nodes have two, one and no children, the younger sibling with more
    /// nodes below it than widths of levels can express.
    ///
    /// @param replacement whether siblings may be equal
    /// @return the plan
    public static TreePlan unevenTree(boolean replacement) {
        return new TreePlan.SampledPaths(SHAPE, replacement);
    }

    /// Returns a pairing with drafts sampled like the target, without a stop.
    ///
    /// @param plan   shape of the drafts
    /// @param rule   judges the drafts
    /// @param rounds rounds to enumerate, at least 1
    /// @return the pairing
    public static ExactnessPairing of(TreePlan plan, AcceptanceRule rule, int rounds) {
        return new ExactnessPairing(plan, Optional.empty(), 0, rule, rounds);
    }

    /// Returns every kind of plan with the rules for its selection, and each way to sample and to
    /// stop. A coupled tree of two levels is enumerated over one round here, and over two in the
    /// nightly test of [DrafterExactness]; over two rounds here are coupled siblings of one level,
    /// and a coupled chain, whose second round uses the noise of rejected guesses again.
    ///
    /// @return the cases of every drafter that drafts step by step
    public static List<ExactnessPairing> all() {
        var pair = new TreePlan.Chain(2);
        var chain = new TreePlan.Chain(3);
        var distinct = new TreePlan.SampledWithoutReplacement(List.of(2, 2));
        var independent = new TreePlan.SampledWithReplacement(List.of(2, 1));
        var uneven = unevenTree(false);
        var match = new SampleAndMatchRule();
        return List.of(
                of(pair, new TokenRejectionRule(), 2),
                of(pair, new TokenRejectionRule(), 2).sampledBy(TRUNCATED),
                of(pair, new TokenRejectionRule(), 2).stoppingBelow(0.4),
                of(chain, new TokenRejectionRule(), 1),
                of(chain, new TokenRejectionRule(), 1).sampledBy(TRUNCATED),
                of(chain, new BlockVerificationRule(), 1),
                of(chain, new BlockVerificationRule(), 1).stoppingBelow(0.4),
                of(independent, new MultiStepRule(), 1),
                of(independent, new KSequentialRule(), 1),
                of(distinct, new WithoutReplacementRule(), 1),
                of(distinct, new TraversalRule(), 1).stoppingBelow(0.3),
                of(uneven, new WithoutReplacementRule(), 1),
                of(uneven, new TraversalRule(), 1),
                of(new TreePlan.Dynamic(2, 3, 5), match, 2),
                of(new TreePlan.LevelWidths(List.of(2, 2)), match, 2),
                of(new TreePlan.Coupled(List.of(2, 1)), new GumbelCoupledRule(), 1),
                of(new TreePlan.Coupled(List.of(2)), new GumbelCoupledRule(), 2),
                of(new TreePlan.Coupled(List.of(1, 1)), new GumbelCoupledRule(), 2));
    }

    /// Returns the same with sampling of the drafter's own.
    ///
    /// @param policy sampling of the drafts
    /// @return the pairing
    public ExactnessPairing sampledBy(SamplingPolicy policy) {
        return new ExactnessPairing(plan, Optional.of(policy), stopBelow, rule, rounds);
    }

    /// Returns the same with drafts that stop.
    ///
    /// @param threshold drafting stops after a token with a smaller probability, 0 to 1
    /// @return the pairing
    public ExactnessPairing stoppingBelow(double threshold) {
        return new ExactnessPairing(plan, sampling, threshold, rule, rounds);
    }

    /// Returns the same over another number of rounds.
    ExactnessPairing over(int otherRounds) {
        return new ExactnessPairing(plan, sampling, stopBelow, rule, otherRounds);
    }

    @Override
    public String toString() {
        return "%s%s%s, %s, %d rounds"
                .formatted(
                        plan,
                        sampling.map(policy -> ", " + policy).orElse(""),
                        stopBelow > 0 ? ", stopping below " + stopBelow : "",
                        rule.traits().name(),
                        rounds);
    }
}
