package dev.outrider.drafter.lookup;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sampled output has the target's distribution, by enumeration of every random outcome through the
/// real loop, with everything that the store has learned, from rejected nodes and from earlier
/// sequences.
class AdaptiveNgramExactnessTest {
    private static final int VOCABULARY = 3;
    private static final int[] PROMPT = {0, 1, 2, 0, 1, 0, 2, 0};
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    private static final TreePlan TREE = new TreePlan.LevelWidths(List.of(2, 1));

    static Stream<AcceptanceRule> rulesForChains() {
        return Stream.of(
                new TokenRejectionRule(), new BlockVerificationRule(), new SampleAndMatchRule());
    }

    @ParameterizedTest
    @MethodSource("rulesForChains")
    void chainsUnderEveryRuleThatTakesThem(AcceptanceRule rule) {
        for (int topK = 0; topK <= 2; topK++) {
            assertExact(rule, topK, new TreePlan.Chain(2), false);
        }
    }

    @Test
    void trees() {
        for (int topK = 0; topK <= 2; topK++) {
            assertExact(new SampleAndMatchRule(), topK, TREE, false);
        }
    }

    @Test
    void treesFromWhatEarlierSequencesLeft() {
        assertExact(new SampleAndMatchRule(), 2, TREE, true);
    }

    private static void assertExact(
            AcceptanceRule rule, int topK, TreePlan plan, boolean knowsMuch) {
        for (var style : List.of(DistributionStyle.DENSE, DistributionStyle.ZEROS)) {
            var table = TableModel.random(VOCABULARY, style, 8);
            for (int minOrder = 2; minOrder <= 3; minOrder++) {
                var decoder =
                        new Decoder(
                                TableTarget.of(table),
                                Optional.of(drafter(minOrder, topK, plan, knowsMuch)),
                                rule,
                                FixedLength.drafterLimit(),
                                true,
                                () -> 0);

                ExactDistribution.assertExact(decoder, table, WARM, PROMPT, 3, 5);
            }
        }
    }

    private static Drafter drafter(int minOrder, int topK, TreePlan plan, boolean knowsMuch) {
        var drafting = new RankedDrafting(1, 1, Optional.of(plan), true, false);
        var config = new AdaptiveNgramConfig(3, minOrder, topK, 16, drafting);
        var store = new NgramStore(config, drafting.rankTree().width(), VOCABULARY);
        if (knowsMuch) {
            int[] earlier = Noise.tokens(VOCABULARY, 50);
            for (int end = 2; end < earlier.length; end++) {
                store.saw(new int[] {earlier[end - 2], earlier[end - 1]}, earlier[end]);
            }
        }
        return new RankDrafter(config.traits(), drafting, store);
    }
}
