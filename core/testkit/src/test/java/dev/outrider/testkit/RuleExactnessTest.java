package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Production rules in the production loop, with every random outcome, against the target's
/// distribution.
class RuleExactnessTest {
    private static final int[] PROMPT = {0, 1};
    private static final SamplingPolicy PLAIN = SamplingPolicy.atTemperature(1);
    private static final List<SamplingPolicy> POLICIES =
            List.of(
                    PLAIN,
                    new SamplingPolicy(.7, 0, .8, 0, 1),
                    new SamplingPolicy(1.4, 2, 1, .1, 1.5),
                    SamplingPolicy.argmax());

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void tokenRejectionOfSampledChainsIsExact(DistributionStyle target, DistributionStyle draft) {
        for (int seed = 0; seed < 3; seed++) {
            assertExact(new TokenRejectionRule(), new TreePlan.Chain(2), target, draft, 3, seed);
        }
        assertExact(new TokenRejectionRule(), new TreePlan.Chain(3), target, draft, 3, 7);
        assertExact(new TokenRejectionRule(), new TreePlan.Chain(2), target, draft, 4, 8);
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void sampleAndMatchIsExactForEveryKindOfTree(
            DistributionStyle target, DistributionStyle draft) {
        var plans =
                List.of(
                        new TreePlan.Chain(2),
                        new TreePlan.LevelWidths(List.of(2, 2)),
                        new TreePlan.LevelWidths(List.of(3)),
                        new TreePlan.SampledWithReplacement(List.of(2, 1)),
                        new TreePlan.SampledWithoutReplacement(List.of(2, 1)));
        for (var plan : plans) {
            assertExact(new SampleAndMatchRule(), plan, target, draft, 3, 1);
        }
        assertExact(
                new SampleAndMatchRule(),
                new TreePlan.LevelWidths(List.of(2, 2)),
                target,
                draft,
                4,
                2);
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void tokenRejectionOfArgmaxChainsIsExact(DistributionStyle target, DistributionStyle draft) {
        var models = new Models(target, draft, 3, 5);
        var drafter =
                new TableDrafter(models.draft, new TreePlan.Chain(3), SamplingPolicy.argmax());
        for (var policy : POLICIES) {
            var decoder = models.decoder(new TokenRejectionRule(), drafter);
            ExactDistribution.assertExact(decoder, models.target, policy, PROMPT, 1, 4);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void aDrafterThatIsTheTargetIsAlwaysAccepted(DistributionStyle style) {
        var models = new Models(style, style, 3, 5);
        var drafter = new TableDrafter(models.target, new TreePlan.Chain(2), PLAIN);
        var decoder = models.decoder(new TokenRejectionRule(), drafter);

        ExactDistribution.assertExact(decoder, models.target, PLAIN, PROMPT, 1, 3);
        assertThat(
                        ExactDistribution.expectedLength(
                                ExactDistribution.emitted(decoder, PLAIN, PROMPT, 1)))
                .isCloseTo(3, within(1e-12));
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void expectedLengthsEqualTheClosedForms(DistributionStyle target, DistributionStyle draft) {
        var models = new Models(target, draft, 3, 11);
        var chain = new TableDrafter(models.draft, new TreePlan.Chain(2), PLAIN);
        var greedyChain =
                new TableDrafter(models.draft, new TreePlan.Chain(2), SamplingPolicy.argmax());

        assertThat(length(models.decoder(new TokenRejectionRule(), chain)))
                .isCloseTo(1 + overlap(models, PROMPT, 2, Overlap.MINIMUM), within(1e-12));
        assertThat(length(models.decoder(new SampleAndMatchRule(), chain)))
                .isCloseTo(1 + overlap(models, PROMPT, 2, Overlap.PRODUCT), within(1e-12));
        assertThat(length(models.decoder(new SampleAndMatchRule(), greedyChain)))
                .isCloseTo(
                        length(models.decoder(new TokenRejectionRule(), greedyChain)),
                        within(1e-12));
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void plainDecodingIsTheSameLoop(DistributionStyle target) {
        var model = TableModel.random(3, target, 3);
        for (var policy : POLICIES) {
            for (AcceptanceRule rule :
                    List.of(new TokenRejectionRule(), new SampleAndMatchRule())) {
                var decoder = Decoder.plain(TableTarget.of(model), rule, () -> 0);
                ExactDistribution.assertExact(decoder, model, policy, PROMPT, 3, 3);
            }
        }
    }

    private static void assertExact(
            AcceptanceRule rule,
            TreePlan plan,
            DistributionStyle target,
            DistributionStyle draft,
            int vocabulary,
            int seed) {
        var models = new Models(target, draft, vocabulary, seed);
        for (var policy : POLICIES) {
            var drafter = new TableDrafter(models.draft, plan, PLAIN);
            ExactDistribution.assertExact(
                    models.decoder(rule, drafter),
                    models.target,
                    policy,
                    PROMPT,
                    1,
                    plan.maxDepth() + 1);
        }
    }

    private static double length(Decoder decoder) {
        return ExactDistribution.expectedLength(
                ExactDistribution.emitted(decoder, PLAIN, PROMPT, 1));
    }

    /// Ways to compute how likely a guess is drawn and accepted, token by token.
    private enum Overlap {
        MINIMUM,
        PRODUCT
    }

    /// Returns the sum over lengths of the probability that this many guesses are accepted.
    private static double overlap(Models models, int[] prefix, int depth, Overlap kind) {
        if (depth == 0) {
            return 0;
        }
        double[] p = models.target.distribution(PLAIN, prefix);
        double[] q = models.draft.distribution(PLAIN, prefix);
        double total = 0;
        for (int token = 0; token < p.length; token++) {
            double accepted =
                    switch (kind) {
                        case MINIMUM -> Math.min(p[token], q[token]);
                        case PRODUCT -> p[token] * q[token];
                    };
            int[] longer = Arrays.copyOf(prefix, prefix.length + 1);
            longer[prefix.length] = token;
            total += accepted * (1 + overlap(models, longer, depth - 1, kind));
        }
        return total;
    }

    private static final class Models {
        final TableModel target;
        final TableModel draft;

        Models(DistributionStyle target, DistributionStyle draft, int vocabulary, int seed) {
            this.target = TableModel.random(vocabulary, target, 1000 + seed);
            this.draft = TableModel.random(vocabulary, draft, 2000 + seed);
        }

        Decoder decoder(AcceptanceRule rule, TableDrafter drafter) {
            return new Decoder(
                    TableTarget.of(target),
                    Optional.of(drafter),
                    rule,
                    FixedLength.drafterLimit(),
                    true,
                    () -> 0);
        }
    }
}
