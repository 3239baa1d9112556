package dev.outrider.drafting;

import dev.outrider.common.Require;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Optional;

/// The settings that all drafters share which guess step by step: shape, sampling and end of the drafts. A drafter's configuration
/// contains it with [dev.outrider.spi.config.Inline]. The drafter's traits and its trees are derived from it here.
///
/// Every setting keeps the output exact (for the stops, [StopRule] gives the reason).
public record Drafting(
        @Doc(
                        "Tokens drafted a round as a chain, 1 to 1024; 4 when neither 'length' nor 'tree' is given.")
                Optional<Integer> length,
        @Doc("Shape of the drafts, in place of 'length'; a dynamic tree is EAGLE-2's.")
                Optional<TreePlan> tree,
        @Doc("How the drafter samples; the target's own sampling when it is not given.")
                Optional<Sampling> sampling,
        @Doc(
                        "Stop guessing below a token that was less probable than this, 0 (off) to 1; the token itself"
                                + " stays, so the output is not affected.")
                @Default("0")
                double confidenceThreshold,
        @Doc(
                        "Stop guessing where the drafter's distribution has too much entropy; off when it is not given.")
                Optional<EntropyStop> entropyStop) {
    private static final int DEFAULT_LENGTH = 4;
    private static final int MAX_LENGTH = 1024;

    public Drafting {
        planOf(length, tree, DEFAULT_LENGTH);
        Require.share("'confidenceThreshold'", confidenceThreshold);
        Require.that(
                confidenceThreshold <= 0 || !entropyStop.isPresent(),
                "'confidenceThreshold' (%s) and 'entropyStop' exclude each other",
                confidenceThreshold);
    }

    /// The drafter's own sampling.
    ///
    /// @see SamplingPolicy
    public record Sampling(
            @Doc("0 drafts the most probable tokens of a chain.") @Default("1") double temperature,
            @Doc("Keep the k most probable tokens; 0 keeps all.") @Default("0") int topK,
            @Doc("Keep the most probable tokens up to this mass; 1 keeps all.") @Default("1")
                    double topP,
            @Doc("Keep tokens at least this fraction as probable as the best; 0 keeps all.")
                    @Default("0")
                    double minP,
            @Doc("Penalty for tokens seen before; 1 is off.") @Default("1")
                    double repetitionPenalty) {
        public Sampling {
            new SamplingPolicy(temperature, topK, topP, minP, repetitionPenalty);
        }

        /// Sampling with a policy.
        public static Sampling of(SamplingPolicy policy) {
            return new Sampling(
                    policy.temperature(),
                    policy.topK(),
                    policy.topP(),
                    policy.minP(),
                    policy.repetitionPenalty());
        }

        SamplingPolicy policy() {
            return new SamplingPolicy(temperature, topK, topP, minP, repetitionPenalty);
        }
    }

    /// Stop where `1 - sqrt(coefficient * entropy) < threshold`.
    ///
    /// @see "Agrawal et al. 2024 (AdaEDL)"
    public record EntropyStop(
            @Doc("Weight of the entropy in nats; positive.") @Default("0.2") double coefficient,
            @Doc("Lower bound of the acceptance rate at which drafting stops; less than 1.")
                    @Default("0.4")
                    double threshold) {
        public EntropyStop {
            new StopRule.HighEntropy(coefficient, threshold);
        }
    }

    /// Drafts of one shape, sampled like the target, without a stop.
    public static Drafting of(TreePlan plan) {
        return new Drafting(
                Optional.empty(), Optional.of(plan), Optional.empty(), 0, Optional.empty());
    }

    /// The same drafts with another sampling.
    public Drafting sampledBy(SamplingPolicy policy) {
        return new Drafting(
                length, tree, Optional.of(Sampling.of(policy)), confidenceThreshold, entropyStop);
    }

    /// The same drafts, ended below tokens that were less probable than this.
    ///
    /// @param threshold 0 (off) to 1
    public Drafting stoppingBelow(double threshold) {
        return new Drafting(length, tree, sampling, threshold, Optional.empty());
    }

    /// The same drafts, ended where the distribution has too much entropy.
    public Drafting stoppingAt(EntropyStop stop) {
        return new Drafting(length, tree, sampling, 0, Optional.of(stop));
    }

    /// The shape of the drafts.
    public TreePlan plan() {
        return planOf(length, tree, DEFAULT_LENGTH);
    }

    /// Returns the sampling policy of the drafter.
    ///
    /// @param ofTarget the target's sampling
    public SamplingPolicy policy(SamplingPolicy ofTarget) {
        return sampling.map(Sampling::policy).orElse(ofTarget);
    }

    /// Returns the rule that ends drafts before the plan does.
    public StopRule stopRule() {
        if (entropyStop.isPresent()) {
            var stop = entropyStop.get();
            return new StopRule.HighEntropy(stop.coefficient(), stop.threshold());
        }
        return confidenceThreshold > 0
                ? new StopRule.LowConfidence(confidenceThreshold)
                : new StopRule.Never();
    }

    /// Returns the traits of a drafter with these settings.
    ///
    /// @param needsHiddenStates whether it reads the target's hidden states
    public DrafterTraits traits(boolean needsHiddenStates) {
        boolean greedy = sampling.map(Sampling::policy).filter(SamplingPolicy::greedy).isPresent();
        return traitsOf(plan(), plan().selection(greedy), needsHiddenStates);
    }

    /// Returns an expander for the trees. Without its own sampling, the drafter draws as the target does, operators included, if it
    /// has all of the target's tokens.
    ///
    /// @param request    with the target's sampling
    /// @param vocabulary maps the network's logits to the target's tokens
    public TreeExpander expander(DraftRequest request, DraftVocabulary vocabulary) {
        return new TreeExpander(
                plan(),
                policy(request.policy()),
                stopRule(),
                vocabulary,
                request.target()
                        .capability(OperatorChain.class)
                        .filter(_ -> sampling.isEmpty() && vocabulary.whole())
                        .orElseGet(OperatorChain::none));
    }

    /// Returns the most rows that [DraftStepper#step] runs in one round.
    public int maxRows() {
        return TreeExpander.maxRows(plan());
    }

    /// Returns the shape that the keys `length` and `tree` mean, for drafters with only these two.
    ///
    /// @param length        tokens of a chain, 1 to 1024
    /// @param tree          any shape, in place of a length
    /// @param defaultLength length of the chain when neither is given
    /// @throws IllegalArgumentException if both are given or the length is out of range
    public static TreePlan planOf(
            Optional<Integer> length, Optional<TreePlan> tree, int defaultLength) {
        if (length.isPresent() && tree.isPresent()) {
            throw new IllegalArgumentException(
                    "'length' (%d) and 'tree' exclude each other".formatted(length.get()));
        }
        int tokens = length.orElse(defaultLength);
        Require.between("'length'", tokens, 1, MAX_LENGTH);
        return tree.orElseGet(() -> new TreePlan.Chain(tokens));
    }

    /// Traits of a drafter whose drafts follow a plan and that reads no scores.
    ///
    /// @param selection         how the nodes are chosen
    /// @param needsHiddenStates whether it reads the target's hidden states
    public static DrafterTraits traitsOf(
            TreePlan plan, Selection.Kind selection, boolean needsHiddenStates) {
        var traits =
                DrafterTraits.tree(plan.maxNodes(), plan.maxDepth())
                        .shaped(plan.shape())
                        .selecting(selection);
        return needsHiddenStates ? traits.readingHiddenStates() : traits;
    }
}
