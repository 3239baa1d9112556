package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assumeTrue;

import dev.outrider.engine.check.CheckedRule;
import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Checks of every acceptance rule. Extend it, return your rule, and run it as a test: every draft that the rule declares itself
/// exact for is enumerated, over tables of every style, with your class unchanged. A lossy rule must accept the drafts that it
/// declares it can judge, and must be lossy.
public abstract class AcceptanceRuleConformance {
    private static final int[] PROMPT = {0, 1};
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    private static final int COMPANY = 4;
    private static final int TOKENS = 8;

    /// Every selection as a chain and as a tree.
    private static final List<Drafting> SHORT =
            List.of(
                    drawn(new TreePlan.Chain(2)),
                    new Drafting(new TreePlan.Chain(2), SamplingPolicy.argmax()),
                    drawn(new TreePlan.SampledWithoutReplacement(List.of(1, 1))),
                    drawn(new TreePlan.LevelWidths(List.of(2, 1))),
                    drawn(new TreePlan.Coupled(List.of(2, 1))),
                    drawn(new TreePlan.SampledWithReplacement(List.of(2))),
                    drawn(new TreePlan.SampledWithoutReplacement(List.of(2))));

    private static final List<List<Integer>> LOPSIDED =
            List.of(List.of(0), List.of(1), List.of(1, 0));
    private static final List<Drafting> ALL =
            Stream.concat(
                            SHORT.stream(),
                            Stream.of(
                                    drawn(new TreePlan.Coupled(List.of(1, 1))),
                                    drawn(new TreePlan.LevelWidths(List.of(2, 2))),
                                    drawn(new TreePlan.RankPaths(LOPSIDED)),
                                    drawn(new TreePlan.SampledPaths(LOPSIDED, true)),
                                    drawn(new TreePlan.SampledPaths(LOPSIDED, false)),
                                    drawn(new TreePlan.SampledWithReplacement(List.of(2, 1))),
                                    drawn(new TreePlan.SampledWithoutReplacement(List.of(2, 1))),
                                    drawn(new TreePlan.SampledWithoutReplacement(List.of(3)))))
                    .toList();
    private static final List<Drafting> DEEP =
            List.of(
                    drawn(new TreePlan.Chain(3)),
                    new Drafting(new TreePlan.Chain(3), SamplingPolicy.argmax()),
                    drawn(new TreePlan.SampledWithoutReplacement(List.of(1, 1, 1))),
                    drawn(new TreePlan.LevelWidths(List.of(2, 1, 2))),
                    drawn(new TreePlan.SampledWithReplacement(List.of(1, 2, 1))),
                    drawn(new TreePlan.SampledWithoutReplacement(List.of(1, 2, 1))));

    /// A way to draft, for any model.
    ///
    /// @param plan   the shape of its drafts
    /// @param policy its own sampling
    private record Drafting(TreePlan plan, SamplingPolicy policy) {
        TableDrafter from(TableModel model) {
            return new TableDrafter(model, plan, policy);
        }

        DrafterTraits traits() {
            return from(TableModel.constant(1)).traits();
        }

        @Override
        public String toString() {
            return policy.greedy() ? plan + " by argmax" : plan.toString();
        }
    }

    /// For subclasses, which a test framework instantiates.
    protected AcceptanceRuleConformance() {}

    /// {@return the rule under test}
    protected abstract AcceptanceRule rule();

    @Check
    void everyDeclaredPairingIsExactForOneRound() {
        assumeLossless();
        var met = new MetDrafts();
        for (var drafting : supported(ALL)) {
            for (var target : DistributionStyle.values()) {
                for (var draft : DistributionStyle.values()) {
                    assertExact(met, drafting, model(3, target, 3), model(3, draft, 4), 1);
                }
            }
        }
        assertMet(met);
    }

    @Check
    void everyDeclaredPairingIsExactForFourTokensAndForDeeperTrees() {
        assumeLossless();
        var met = new MetDrafts();
        var styles =
                List.of(
                        DistributionStyle.DENSE,
                        DistributionStyle.ZEROS,
                        DistributionStyle.NEAR_TIES);
        for (var target : styles) {
            for (var draft : styles) {
                for (var drafting : supported(SHORT)) {
                    assertExact(met, drafting, model(4, target, 5), model(4, draft, 6), 1);
                }
                for (var drafting : supported(DEEP)) {
                    assertExact(met, drafting, model(3, target, 7), model(3, draft, 8), 1);
                }
            }
        }
        assertMet(met);
    }

    @Check
    void aDrafterThatIsTheTargetIsNoSpecialCase() {
        assumeLossless();
        var met = new MetDrafts();
        for (var drafting : supported(ALL)) {
            for (var style : DistributionStyle.values()) {
                assertExact(met, drafting, model(3, style, 9), model(3, style, 9), 1);
            }
        }
        assertMet(met);
    }

    @Check
    void everyDeclaredPairingIsExactForTwoRounds() {
        assumeLossless();
        var met = new MetDrafts();
        for (var drafting : supported(SHORT)) {
            assertExact(
                    met,
                    drafting,
                    model(3, DistributionStyle.DENSE, 3),
                    model(3, DistributionStyle.DENSE, 4),
                    2);
        }
        assertMet(met);
    }

    @Check
    void aRuleThatCallsItselfLossyIs() {
        assumeTrue(!rule().traits().lossless(), "the rule is declared lossless");
        double worst = 0;
        for (var drafting : supported(SHORT)) {
            var target = model(3, DistributionStyle.DENSE, 3);
            var decoder = decoder(target, drafting.from(model(3, DistributionStyle.DENSE, 4)));
            int length = drafting.plan().maxDepth() + 1;
            worst =
                    Math.max(
                            worst,
                            ExactDistribution.error(decoder, target, policy(), PROMPT, 1, length));
        }
        assertThat(worst)
                .describedAs("largest error of a rule that is declared lossy")
                .isGreaterThan(1e-3);
    }

    @Check
    void unverifiedNodesAreNeverAcceptedAndChangeNothing() {
        for (var drafting : supported(SHORT)) {
            if (rule().traits().shape() == TreeShape.TREE) {
                var target = model(3, DistributionStyle.DENSE, 3);
                var drafter = drafting.from(model(3, DistributionStyle.DENSE, 4));
                var without = decoder(target, drafter);
                var with = decoder(target, new WindowedDrafter(drafter, 3));

                assertThat(ExactDistribution.emitted(with, policy(), PROMPT, 1))
                        .isEqualTo(ExactDistribution.emitted(without, policy(), PROMPT, 1));
            }
        }
    }

    @Check
    void anEmptyDraftIsOneStepOfPlainDecoding() {
        for (var style : DistributionStyle.values()) {
            var target = TableModel.random(3, style, 1);
            var decoder = Decoder.plain(TableTarget.of(target), new CheckedRule(rule()), () -> 0);
            ExactDistribution.assertExact(decoder, target, policy(), PROMPT, 2, 2);
        }
    }

    @Check
    void decisionsOnSeveralThreadsEqualThoseMadeAlone() {
        for (var drafting : supported(SHORT)) {
            shared(drafting).assertEqualOnSeveralThreads(company());
        }
    }

    @Check
    void decisionsMadeInTurnsEqualThoseMadeAlone() {
        for (var drafting : supported(SHORT)) {
            shared(drafting).assertEqualInTurns(company());
        }
    }

    @Check
    void aRuleSaysWhereItIsFrom() {
        assertThat(rule().traits().name()).isNotBlank();
        assertThat(rule().traits().source()).isNotBlank();
    }

    private void assertExact(
            MetDrafts met, Drafting drafting, TableModel target, TableModel draft, int rounds) {
        int length = drafting.plan().maxDepth() + rounds;
        var decoder = decoder(target, met.watched(drafting.from(draft)));
        try {
            ExactDistribution.assertExact(decoder, target, policy(), PROMPT, rounds, length);
        } catch (AssertionError | OutriderException failure) {
            throw new AssertionError(
                    "rule '%s' on drafts of %s: %s"
                            .formatted(rule().traits().name(), drafting, failure.getMessage()),
                    failure);
        }
    }

    private void assumeLossless() {
        assumeTrue(rule().traits().lossless(), "the rule is declared lossy");
    }

    /// Checks that the enumeration had every kind of draft that the rule declares: without them it would prove nothing.
    private void assertMet(MetDrafts met) {
        met.assertAllOf(rule().traits());
    }

    private SharedDecoder shared(Drafting drafting) {
        var drafter = drafting.from(model(3, DistributionStyle.DENSE, 4));
        return new SharedDecoder(
                TableTarget.of(model(3, DistributionStyle.DENSE, 3)),
                target -> decoder(target, drafter));
    }

    /// Returns sequences of one prompt with other seeds: they differ only in the rule's arguments.
    private List<SharedDecoder.Sequence> company() {
        return IntStream.range(0, COMPANY)
                .mapToObj(seed ->
                        new SharedDecoder.Sequence(
                                "seed " + seed,
                                new DecodeRequest(PROMPT, TOKENS, policy(), List.of(), true),
                                RandomnessSource.of(new KeyedRandomStreams(7, seed))))
                .toList();
    }

    private Decoder decoder(TableModel target, Drafter drafter) {
        return decoder(TableTarget.of(target), drafter);
    }

    private Decoder decoder(TargetModel target, Drafter drafter) {
        return new Decoder(
                target, Optional.of(drafter), rule(), FixedLength.drafterLimit(), true, () -> 0);
    }

    private SamplingPolicy policy() {
        return rule().traits().greedyOnly() ? SamplingPolicy.argmax() : WARM;
    }

    private List<Drafting> supported(List<Drafting> draftings) {
        return draftings.stream().filter(this::supports).toList();
    }

    private boolean supports(Drafting drafting) {
        var drafts = drafting.traits();
        return rule().traits().judges().containsAll(drafts.selections())
                && rule().traits().shape().accommodates(drafts.shape());
    }

    private static Drafting drawn(TreePlan plan) {
        return new Drafting(plan, WARM);
    }

    private static TableModel model(int vocabulary, DistributionStyle style, int seed) {
        return TableModel.random(vocabulary, style, seed);
    }

    /// A drafter that adds unverified nodes to drafts: below every node, one for every token. A
    /// rule that accepted one of them would be detected, because they contain every token that the
    /// target may choose.
    ///
    /// Their indices follow those of the drafter's own nodes, so distributions and verdicts mean
    /// the same.
    ///
    /// @param drafter    the drafter
    /// @param vocabulary number of tokens
    private record WindowedDrafter(Drafter drafter, int vocabulary) implements ForwardingDrafter {
        @Override
        public DrafterTraits traits() {
            var own = drafter.traits();
            return own.shaped(TreeShape.TREE)
                    .within(own.maxNodes() + (own.maxNodes() + 1) * vocabulary, own.maxDepth());
        }

        @Override
        public DraftSession open(DraftRequest request) {
            return new WrappedDrafter.Session(drafter.open(request)) {
                @Override
                public Draft propose(DraftBudget budget, Randomness randomness) {
                    var own = drafter.traits().fullBudget();
                    int depth = Math.min(budget.maxDepth(), own.maxDepth());
                    return windowed(
                            super.propose(
                                    new DraftBudget(depth == 0 ? 0 : own.maxNodes(), depth),
                                    randomness));
                }
            };
        }

        private Draft windowed(Draft draft) {
            var own = draft.tree();
            var tree = TokenTree.builder(own.token(0));
            for (int node = 1; node < own.size(); node++) {
                tree.add(own.parent(node), own.token(node));
            }
            for (int node = 0; node < own.size(); node++) {
                for (int token = 0; token < vocabulary; token++) {
                    tree.addUnverified(node, token);
                }
            }
            return new Draft(tree.build(), draft.selection());
        }
    }
}
