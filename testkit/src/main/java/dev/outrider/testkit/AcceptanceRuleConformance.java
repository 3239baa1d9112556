package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.check.CheckedRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.SelectionKind;
import dev.outrider.spi.TreePlan;
import dev.outrider.spi.TreeShape;
import org.junit.jupiter.api.Test;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What every acceptance rule must do. Extend it, return your rule, and run it as a test: whatever the rule
/// declares itself exact for is enumerated, over tables of every style, with your class unchanged.
public abstract class AcceptanceRuleConformance {
    private static final int[] PROMPT = {0, 1};
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);

    /// The rule under test.
    protected abstract AcceptanceRule rule();

    @Test
    void everyDeclaredPairingIsExactForOneRound() {
        everyPairing(1);
    }

    @Test
    void everyDeclaredPairingIsExactForTwoRounds() {
        var traits = rule().traits();
        for (var plan : shortPlans()) {
            if (supports(plan)) {
                assertExact(plan, LawStyle.DENSE, LawStyle.DENSE, 2);
            }
        }
        assertThat(traits.exactFor()).describedAs("declared selections").isNotEmpty();
    }

    @Test
    void unverifiedNodesAreNeverAcceptedAndChangeNothing() {
        for (var plan : shortPlans()) {
            if (supports(plan) && rule().traits().shape() == TreeShape.TREE) {
                var target = TableModel.random(3, LawStyle.DENSE, 3);
                var drafter = new TableDrafter(TableModel.random(3, LawStyle.DENSE, 4), plan, WARM);
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

    private void everyPairing(int rounds) {
        for (var plan : plans()) {
            if (!supports(plan)) {
                continue;
            }
            for (var target : LawStyle.values()) {
                for (var draft : LawStyle.values()) {
                    assertExact(plan, target, draft, rounds);
                }
            }
        }
    }

    private void assertExact(TreePlan plan, LawStyle targetStyle, LawStyle draftStyle, int rounds) {
        var target = TableModel.random(3, targetStyle, 3);
        var draft = TableModel.random(3, draftStyle, 4);
        var decoder = decoder(target, new TableDrafter(draft, plan, WARM));
        int length = plan.maxDepth() + rounds;
        ExactLaw.assertExact(decoder, target, policy(), PROMPT, rounds, length);
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

    private boolean supports(TreePlan plan) {
        var shape = plan instanceof TreePlan.Chain ? TreeShape.CHAIN : TreeShape.TREE;
        SelectionKind selection = plan.selection(false);
        return rule().traits().lossless()
                && rule().traits().exactFor().contains(selection)
                && rule().traits().shape().accommodates(shape);
    }

    private static List<TreePlan> plans() {
        return Stream.concat(
                        shortPlans().stream(),
                        Stream.<TreePlan>of(
                                new TreePlan.LevelWidths(List.of(2, 2)),
                                new TreePlan.SampledWithReplacement(List.of(2, 1)),
                                new TreePlan.SampledWithoutReplacement(List.of(2, 1)),
                                new TreePlan.SampledWithoutReplacement(List.of(3))))
                .toList();
    }

    private static List<TreePlan> shortPlans() {
        return List.of(
                new TreePlan.Chain(2),
                new TreePlan.LevelWidths(List.of(2, 1)),
                new TreePlan.SampledWithReplacement(List.of(2)),
                new TreePlan.SampledWithoutReplacement(List.of(2)));
    }
}
