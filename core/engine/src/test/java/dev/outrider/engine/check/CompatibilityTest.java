package dev.outrider.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TreeShape;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CompatibilityTest {
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(.8);
    private static final DrafterTraits CHAIN = chain(Selection.Kind.INDEPENDENT);
    private static final RuleTraits TOKEN = new TokenRejectionRule().traits();
    private static final RuleTraits INDEPENDENT_ONLY =
            RuleTraits.exact(
                    "specinfer", Set.of(Selection.Kind.INDEPENDENT), TreeShape.TREE, "none");
    private static final RuleTraits TYPICAL =
            RuleTraits.lossy("typical", Set.of(Selection.Kind.POINT_MASS), TreeShape.TREE, "none");

    @Test
    void exactPairingsAreLosslessInDistribution() {
        assertThat(check(chain(Selection.Kind.INDEPENDENT), TOKEN))
                .isEqualTo(Losslessness.LOSSLESS_IN_DISTRIBUTION);
        for (var selection : Selection.Kind.values()) {
            assertThat(check(tree(selection), new SampleAndMatchRule().traits()))
                    .isEqualTo(Losslessness.LOSSLESS_IN_DISTRIBUTION);
        }
    }

    @Test
    void aDrafterOfSeveralSelectionsNeedsARuleThatIsExactForAllOfThem() {
        var mixed =
                DrafterTraits.chain(4)
                        .selecting(Selection.Kind.POINT_MASS, Selection.Kind.INDEPENDENT);

        assertThat(check(mixed, TOKEN)).isEqualTo(Losslessness.LOSSLESS_IN_DISTRIBUTION);
        assertThatThrownBy(() -> check(mixed, INDEPENDENT_ONLY))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(
                        "acceptance rule 'specinfer' divides by the distribution that candidates were drawn from, but the"
                                + " drafter's candidates are not drawn from a known distribution or independent draws");
    }

    @Test
    void atTemperatureZeroEveryLosslessRuleIsGreedyEqual() {
        assertThat(
                        Compatibility.check(
                                tree(Selection.Kind.POINT_MASS),
                                TOKEN,
                                SamplingPolicy.argmax(),
                                LossyPairings.inFile(false)))
                .isEqualTo(Losslessness.GREEDY_EQUAL);
    }

    @Test
    void aTreeForAChainRuleIsRefusedEvenWhenLossyIsAllowed() {
        assertThatThrownBy(() ->
                        Compatibility.check(
                                tree(Selection.Kind.INDEPENDENT),
                                TOKEN,
                                WARM,
                                LossyPairings.inFile(true)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CAPABILITY_MISSING: acceptance rule 'token' judges chains, but the drafter proposes trees\n  Choose a chain for the drafter, or a rule for trees such as 'sample-and-match'.");
    }

    @Test
    void selectionsARuleIsNotExactForAreRefused() {
        assertThatThrownBy(() -> check(tree(Selection.Kind.WITHOUT_REPLACEMENT), INDEPENDENT_ONLY))
                .hasMessage(
                        "LOSSY_NOT_ALLOWED: acceptance rule 'specinfer' is exact for candidates that are independent draws, but the drafter's candidates are draws without replacement\n  Choose a rule that is exact for them, such as 'sample-and-match', or set allowLossy: true to run it and label its results.");
    }

    @Test
    void aRuleThatDividesByADistributionIsRefusedWhereThereIsNoneEvenWhenLossyIsAllowed() {
        assertThatThrownBy(() ->
                        Compatibility.check(
                                tree(Selection.Kind.POINT_MASS),
                                INDEPENDENT_ONLY,
                                WARM,
                                LossyPairings.inFile(true)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CAPABILITY_MISSING: acceptance rule 'specinfer' divides by the distribution that candidates were drawn from, but the drafter's candidates are not drawn from a known distribution\n  Choose a rule that needs no such distribution, such as 'sample-and-match', or a tree whose nodes the drafter draws.");
    }

    @Test
    void topKChildrenAreRefusedByMultiStepVerification() {
        for (boolean allowLossy : new boolean[] {false, true}) {
            assertThatThrownBy(() ->
                            Compatibility.check(
                                    tree(Selection.Kind.POINT_MASS),
                                    new MultiStepRule().traits(),
                                    WARM,
                                    LossyPairings.inFile(allowLossy)))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageStartingWith(
                            "CAPABILITY_MISSING: acceptance rule 'multi-step' divides by the distribution");
        }
    }

    @Test
    void drawsWithoutReplacementAreRefusedByRulesForIndependentOnes() {
        for (var rule : List.<AcceptanceRule>of(new MultiStepRule(), new KSequentialRule())) {
            refusedWith(
                    tree(Selection.Kind.WITHOUT_REPLACEMENT),
                    rule.traits(),
                    "is exact for candidates that are independent draws, but the drafter's candidates are draws without replacement");
        }
        refusedWith(
                tree(Selection.Kind.INDEPENDENT),
                new WithoutReplacementRule().traits(),
                "is exact for candidates that are draws without replacement, but the drafter's candidates are independent draws");
    }

    @Test
    void lossyRulesAreRefusedAtEveryTemperature() {
        for (var policy : new SamplingPolicy[] {WARM, SamplingPolicy.argmax()}) {
            assertThatThrownBy(() ->
                            Compatibility.check(
                                    tree(Selection.Kind.POINT_MASS),
                                    TYPICAL,
                                    policy,
                                    LossyPairings.inFile(false)))
                    .hasMessage(
                            "LOSSY_NOT_ALLOWED: acceptance rule 'typical' does not follow the target's distribution\n  Choose a lossless rule such as 'token' for chains or 'sample-and-match' for any tree, or set allowLossy: true to run it and label its results.");
        }
    }

    @Test
    void aLossyRuleStillNeedsASelectionThatItCanJudge() {
        assertThatThrownBy(() ->
                        Compatibility.check(
                                tree(Selection.Kind.WITHOUT_REPLACEMENT),
                                TYPICAL,
                                WARM,
                                LossyPairings.inFile(true)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CAPABILITY_MISSING: acceptance rule 'typical' judges candidates that are not drawn from a known distribution, but the drafter's candidates are draws without replacement\n  Choose a rule that judges such candidates, such as 'sample-and-match', or a drafter whose candidates it judges.");
    }

    @Test
    void theGreedyRuleIsRefusedAboveTemperatureZero() {
        assertThatThrownBy(() -> check(chain(Selection.Kind.POINT_MASS), new GreedyRule().traits()))
                .hasMessage(
                        "LOSSY_NOT_ALLOWED: acceptance rule 'greedy' is exact at temperature 0 only, but the temperature is 0.8\n  Choose temperature 0, or a rule such as 'token' for chains or 'sample-and-match' for any tree, or set allowLossy: true to run it and label its results.");
    }

    @Test
    void whatIsAllowedIsLabelledLossy() {
        assertThat(
                        Compatibility.check(
                                tree(Selection.Kind.POINT_MASS),
                                TYPICAL,
                                WARM,
                                LossyPairings.inFile(true)))
                .isEqualTo(Losslessness.LOSSY);
        assertThat(
                        Compatibility.check(
                                chain(Selection.Kind.POINT_MASS),
                                new GreedyRule().traits(),
                                WARM,
                                LossyPairings.inFile(true)))
                .isEqualTo(Losslessness.LOSSY);
        assertThat(
                        Compatibility.check(
                                tree(Selection.Kind.WITHOUT_REPLACEMENT),
                                INDEPENDENT_ONLY,
                                WARM,
                                LossyPairings.inFile(true)))
                .isEqualTo(Losslessness.LOSSY);
    }

    @Test
    void aDrafterMayHaveFewerTraitsThanItsFactoryDeclares() {
        assertThatCode(() -> Compatibility.requireDeclared("x", mixed(TreeShape.TREE), CHAIN))
                .doesNotThrowAnyException();
    }

    @Test
    void aDrafterIsNotMoreThanItsFactorySays() {
        assertThatThrownBy(() -> Compatibility.requireDeclared("x", CHAIN, mixed(TreeShape.CHAIN)))
                .hasMessageContaining(
                        "drafter 'x' chooses nodes as [INDEPENDENT, WITHOUT_REPLACEMENT] once it is loaded, expected [INDEPENDENT]");
        assertThatThrownBy(() ->
                        Compatibility.requireDeclared("x", CHAIN, CHAIN.shaped(TreeShape.TREE)))
                .hasMessageContaining("drafter 'x' proposes trees once it is loaded");
    }

    private static DrafterTraits mixed(TreeShape shape) {
        return DrafterTraits.chain(4)
                .shaped(shape)
                .selecting(Selection.Kind.INDEPENDENT, Selection.Kind.WITHOUT_REPLACEMENT);
    }

    private static void refusedWith(DrafterTraits drafter, RuleTraits rule, String message) {
        assertThatThrownBy(() -> check(drafter, rule))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith("LOSSY_NOT_ALLOWED: ")
                .hasMessageContaining(message);
        assertThat(Compatibility.check(drafter, rule, WARM, LossyPairings.inFile(true)))
                .isEqualTo(Losslessness.LOSSY);
    }

    private static Losslessness check(DrafterTraits drafter, RuleTraits rule) {
        return Compatibility.check(drafter, rule, WARM, LossyPairings.inFile(false));
    }

    private static DrafterTraits chain(Selection.Kind selection) {
        return DrafterTraits.chain(4).selecting(selection);
    }

    private static DrafterTraits tree(Selection.Kind selection) {
        return DrafterTraits.tree(8, 4).selecting(selection);
    }
}
