package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.check.CheckedRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TreePlan;
import dev.outrider.spi.TreeShape;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What every acceptance rule must do. Extend it, return your rule, and run it as a test: whatever the rule
/// declares itself exact for is enumerated, over tables of every style, with your class unchanged.
public abstract class AcceptanceRuleConformance {
    private static final int[] PROMPT = {0, 1};
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);

    private static final List<TreePlan> SHORT_PLANS =
            List.of(
                    new TreePlan.Chain(2),
                    new TreePlan.LevelWidths(List.of(2, 1)),
                    new TreePlan.Coupled(List.of(2, 1)),
                    new TreePlan.SampledWithReplacement(List.of(2)),
                    new TreePlan.SampledWithoutReplacement(List.of(2)));
    private static final List<TreePlan> PLANS =
            Stream.concat(
                            SHORT_PLANS.stream(),
                            Stream.<TreePlan>of(
                                    new TreePlan.LevelWidths(List.of(2, 2)),
                                    new TreePlan.SampledWithReplacement(List.of(2, 1)),
                                    new TreePlan.SampledWithoutReplacement(List.of(2, 1)),
                                    new TreePlan.SampledWithoutReplacement(List.of(3))))
                    .toList();
    private static final List<TreePlan> DEEP_PLANS =
            List.of(
                    new TreePlan.Chain(3),
                    new TreePlan.LevelWidths(List.of(2, 1, 2)),
                    new TreePlan.SampledWithReplacement(List.of(1, 2, 1)),
                    new TreePlan.SampledWithoutReplacement(List.of(1, 2, 1)));

    /// For subclasses, which a test framework makes.
    protected AcceptanceRuleConformance() {}

    /// {@return the rule under test}
    protected abstract AcceptanceRule rule();

    @Test
    void everyDeclaredPairingIsExactForOneRound() {
        for (var plan : declared(PLANS)) {
            for (var target : LawStyle.values()) {
                for (var draft : LawStyle.values()) {
                    assertExact(plan, model(3, target, 3), model(3, draft, 4), 1);
                }
            }
        }
    }

    @Test
    void everyDeclaredPairingIsExactForFourTokensAndForDeeperTrees() {
        var styles = List.of(LawStyle.DENSE, LawStyle.ZEROS, LawStyle.NEAR_TIES);
        for (var target : styles) {
            for (var draft : styles) {
                for (var plan : declared(SHORT_PLANS)) {
                    assertExact(plan, model(4, target, 5), model(4, draft, 6), 1);
                }
                for (var plan : declared(DEEP_PLANS)) {
                    assertExact(plan, model(3, target, 7), model(3, draft, 8), 1);
                }
            }
        }
    }

    @Test
    void aDrafterThatIsTheTargetIsNoSpecialCase() {
        for (var plan : declared(PLANS)) {
            for (var style : LawStyle.values()) {
                assertExact(plan, model(3, style, 9), model(3, style, 9), 1);
            }
        }
    }

    @Test
    void everyDeclaredPairingIsExactForTwoRounds() {
        for (var plan : declared(SHORT_PLANS)) {
            assertExact(plan, model(3, LawStyle.DENSE, 3), model(3, LawStyle.DENSE, 4), 2);
        }
        assertThat(rule().traits().exactFor()).describedAs("declared selections").isNotEmpty();
    }

    @Test
    void aRuleThatCallsItselfLossyIs() {
        if (rule().traits().lossless()) {
            return;
        }
        double worst = 0;
        for (var plan : supported(SHORT_PLANS)) {
            var target = model(3, LawStyle.DENSE, 3);
            var drafter = new TableDrafter(model(3, LawStyle.DENSE, 4), plan, WARM);
            var decoder = decoder(target, drafter);
            int length = plan.maxDepth() + 1;
            worst = Math.max(worst, ExactLaw.error(decoder, target, policy(), PROMPT, 1, length));
        }
        assertThat(worst)
                .describedAs("largest error of a rule that is declared lossy")
                .isGreaterThan(1e-3);
    }

    @Test
    void unverifiedNodesAreNeverAcceptedAndChangeNothing() {
        for (var plan : supported(SHORT_PLANS)) {
            if (rule().traits().shape() == TreeShape.TREE) {
                var target = model(3, LawStyle.DENSE, 3);
                var drafter = new TableDrafter(model(3, LawStyle.DENSE, 4), plan, WARM);
                var without = decoder(target, drafter);
                var with = decoder(target, new WindowedDrafter(drafter, 3));

                assertThat(ExactLaw.emitted(with, policy(), PROMPT, 1))
                        .isEqualTo(ExactLaw.emitted(without, policy(), PROMPT, 1));
            }
        }
    }

    @Test
    void anEmptyDraftIsOneStepOfPlainDecoding() {
        for (var style : LawStyle.values()) {
            var target = TableModel.random(3, style, 1);
            var decoder = Decoder.plain(TableTarget.of(target), new CheckedRule(rule()), () -> 0);
            ExactLaw.assertExact(decoder, target, policy(), PROMPT, 2, 2);
        }
    }

    @Test
    void aRuleSaysWhereItIsFrom() {
        assertThat(rule().traits().name()).isNotBlank();
        assertThat(rule().traits().source()).isNotBlank();
    }

    private void assertExact(TreePlan plan, TableModel target, TableModel draft, int rounds) {
        int length = plan.maxDepth() + rounds;
        ExactLaw.assertExact(
                decoder(target, new TableDrafter(draft, plan, WARM)),
                target,
                policy(),
                PROMPT,
                rounds,
                length);
    }

    private Decoder decoder(TableModel target, Drafter drafter) {
        return new Decoder(
                TableTarget.of(target),
                Optional.of(drafter),
                rule(),
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    private SamplingPolicy policy() {
        return rule().traits().greedyOnly() ? SamplingPolicy.argmax() : WARM;
    }

    private List<TreePlan> declared(List<TreePlan> plans) {
        return rule().traits().lossless() ? supported(plans) : List.of();
    }

    private List<TreePlan> supported(List<TreePlan> plans) {
        return plans.stream().filter(this::supports).toList();
    }

    private boolean supports(TreePlan plan) {
        var shape = plan instanceof TreePlan.Chain ? TreeShape.CHAIN : TreeShape.TREE;
        return rule().traits().exactFor().contains(plan.selection(false))
                && rule().traits().shape().accommodates(shape);
    }

    private static TableModel model(int vocabulary, LawStyle style, int seed) {
        return TableModel.random(vocabulary, style, seed);
    }
}
