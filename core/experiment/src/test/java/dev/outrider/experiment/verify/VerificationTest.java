package dev.outrider.experiment.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.FaultyDrafters;
import dev.outrider.testkit.ForgetfulTarget;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests the verification on tables, whose correct and faulty variants are known.
class VerificationTest {
    private static final int RUNS = Boolean.getBoolean("outrider.nightly") ? 200 : 40;
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    private static final TableTarget TARGET =
            TableTarget.of(TableModel.random(7, DistributionStyle.DENSE, 5));
    private static final TableModel DRAFT = TableModel.random(7, DistributionStyle.DENSE, 6);
    private static final List<Prompt> PROMPTS =
            IntStream.range(0, 7)
                    .mapToObj(token -> new Prompt("p" + token, "t", List.of(token, 1), List.of()))
                    .toList();

    static Stream<Arguments> honest() {
        var chain = new TreePlan.Chain(3);
        var ranked = new TreePlan.LevelWidths(List.of(2, 2));
        var independent = new TreePlan.SampledWithReplacement(List.of(2, 2));
        var distinct = new TreePlan.SampledWithoutReplacement(List.of(2, 2));
        return Stream.of(
                Arguments.of(chain, new TokenRejectionRule()),
                Arguments.of(chain, new BlockVerificationRule()),
                Arguments.of(ranked, new SampleAndMatchRule()),
                Arguments.of(independent, new SampleAndMatchRule()),
                Arguments.of(independent, new MultiStepRule()),
                Arguments.of(independent, new KSequentialRule()),
                Arguments.of(independent, new TraversalRule()),
                Arguments.of(distinct, new WithoutReplacementRule()),
                Arguments.of(distinct, new TraversalRule()));
    }

    @ParameterizedTest
    @MethodSource("honest")
    void honestSidesAreNotRejected(TreePlan plan, AcceptanceRule rule) {
        var evidence = verify(TARGET, new TableDrafter(DRAFT, plan, WARM), rule, settings(2000, 1));

        assertThat(evidence.verdict()).as(evidence.reason()).isEqualTo(Evidence.NOT_REJECTED);
        assertThat(evidence.tests()).hasSize(4);
        assertThat(evidence.acrossRounds()).isGreaterThan(.5);
        assertThat(evidence.impossible()).isZero();
        assertThat(evidence.greedy()).contains(new Evidence.Greedy(7, 7, 0, 0));
    }

    static Stream<Arguments> faulty() {
        var chain = new TableDrafter(DRAFT, new TreePlan.Chain(3), WARM);
        var distinct =
                new TableDrafter(
                        DRAFT, new TreePlan.SampledWithoutReplacement(List.of(3, 2)), WARM);
        var token = new TokenRejectionRule();
        return Stream.of(
                Arguments.of(
                        "distributions of another temperature",
                        FaultyDrafters.lyingAboutDistributions(chain, .5),
                        token),
                Arguments.of(
                        "distributions too sharp",
                        FaultyDrafters.lyingAboutDistributions(chain, 2),
                        token),
                Arguments.of(
                        "distributions of the round before",
                        FaultyDrafters.withStaleDistributions(chain),
                        token),
                Arguments.of(
                        "noise used in every round", FaultyDrafters.reusingNoise(chain), token),
                Arguments.of(
                        "wrong distributions of a tree",
                        FaultyDrafters.lyingAboutDistributions(distinct, .5),
                        new WithoutReplacementRule()),
                Arguments.of(
                        "a bonus without the temperature", chain, FaultyRules.untemperedBonus()),
                Arguments.of(
                        "corrections from the whole distribution",
                        chain,
                        FaultyRules.wholeDistributionCorrection()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faulty")
    void plantedFaultsAreRejected(String fault, Drafter drafter, AcceptanceRule rule) {
        var evidence = verify(TARGET, drafter, rule, settings(2000, 1));

        assertThat(evidence.verdict())
                .as(fault + ": " + evidence.reason())
                .isEqualTo(Evidence.REJECTED);
        assertThat(evidence.rejected()).isTrue();
    }

    @Test
    void aCacheThatLosesARowIsRejectedByBothSides() {
        var drafter = new TableDrafter(DRAFT, new TreePlan.Chain(3), WARM);
        var evidence =
                verify(
                        new ForgetfulTarget(TARGET),
                        drafter,
                        new TokenRejectionRule(),
                        settings(2000, 1));

        assertThat(evidence.verdict()).isEqualTo(Evidence.REJECTED);
        assertThat(evidence.reason())
                .contains("argmax ids differ on")
                .contains("first tokens: p = ");
    }

    @Test
    void tooFewSamplesAreInconclusiveAndSayWhatTheyMayHaveMissed() {
        var drafter = new TableDrafter(DRAFT, new TreePlan.Chain(3), WARM);
        var all = run(variant(TARGET, drafter, new TokenRejectionRule(), WARM), settings(40, 1));
        var evidence = of(all);

        assertThat(all.getFirst().sampling()).hasValue("T = 1");
        assertThat(evidence.verdict()).isEqualTo(Evidence.INCONCLUSIVE);
        assertThat(evidence.reason())
                .matches(
                        "effects below w = .* may have been missed, expected 0.40; about [34]\\.[0-9] times as many samples would be enough"
                                + " \\(verify-exactness --samples [0-9]+ --tokens [0-9]+ --time [0-9]+ --effect 0\\.4\\)");
    }

    @Test
    void samplesThatMakeNoTestAreInconclusiveAndNameNoEffect() {
        var drafter = new TableDrafter(DRAFT, new TreePlan.Chain(3), WARM);
        var evidence = verify(TARGET, drafter, new TokenRejectionRule(), settings(1, 1));

        assertThat(evidence.verdict()).isEqualTo(Evidence.INCONCLUSIVE);
        assertThat(evidence.reason())
                .isEqualTo(
                        "a test had too few samples to find anything; many more than 1 samples and 4 tokens are needed (verify-exactness --samples, --tokens)");
        assertThat(afterMillis(200).reason())
                .isEqualTo(
                        "a test had too few samples to find anything; more would come in more than 1 seconds (verify-exactness --time, or exactnessTestSeconds)");
    }

    @Test
    void timeEndsSampling() {
        var evidence = inASecond(.4, Integer.MAX_VALUE);

        assertThat(evidence.tests().getFirst().samples()).isBetween(1L, 1000L);
    }

    @Test
    void saysHowManySecondsWouldBeEnoughWhereTimeIsTheLimit() {
        assertThat(inASecond(.15, Integer.MAX_VALUE).reason())
                .matches("effects below .*; about [2-9] seconds in place of 1 would be enough");
        assertThat(inASecond(.001, Integer.MAX_VALUE).reason())
                .contains(" times as many samples would be enough (verify-exactness --samples ");
        assertThat(inASecond(.15, 200).reason()).endsWith("; sampling was interrupted");
    }

    private static Evidence afterMillis(int reading) {
        return inASecond(.4, Integer.MAX_VALUE, reading);
    }

    /// Returns the evidence after one second, in which a step takes a millisecond.
    ///
    /// @param steps number of steps after which it is interrupted
    private static Evidence inASecond(double effect, int steps) {
        return inASecond(effect, steps, 1);
    }

    /// @param reading milliseconds that pass at every reading of the clock
    private static Evidence inASecond(double effect, int steps, long reading) {
        var clock = new long[1];
        var drafter = new TableDrafter(DRAFT, new TreePlan.Chain(3), WARM);
        var variant = variant(TARGET, drafter, new TokenRejectionRule(), WARM);
        var verification =
                new Verification(
                        List.of(variant),
                        PROMPTS,
                        new VerificationSettings(20_000, 20_000, 1, .01, effect, 1, 1),
                        () -> clock[0] += reading * 1_000_000,
                        () -> clock[0] > steps * 1_000_000L);
        return verification.distributions((_, _, _) -> {}).values().iterator().next();
    }

    @Test
    void greedySidesAreComparedById() {
        var drafter = new TableDrafter(DRAFT, new TreePlan.Chain(3), WARM);
        var greedy = variant(TARGET, drafter, new SampleAndMatchRule(), SamplingPolicy.argmax());
        var evidence = of(run(greedy, settings(100, 1)));

        assertThat(evidence.verdict()).isEqualTo(Evidence.NOT_REJECTED);
        assertThat(evidence.tests()).isEmpty();
        assertThat(evidence.reason())
                .isEqualTo("argmax ids equal plain decoding on 7 of 7 prompts");
    }

    /// 200 correct runs at a false-alarm rate of 5 %, shared by four tests. More than 20 rejections have probability
    /// 1e-3 at most; no rejection at all, as from a test that never rejects, has 3e-5.
    @Test
    void theFalseAlarmRateIsWhatWasAskedFor() {
        var drafter = new TableDrafter(DRAFT, new TreePlan.Chain(2), WARM);
        int rejected = 0;
        int small = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            var variant = variant(TARGET, drafter, new TokenRejectionRule(), WARM);
            var settings = new VerificationSettings(200, 600, 60, .05, .4, 1000 + seed, 1);
            var evidence = of(run(variant, settings));
            rejected += evidence.rejected() ? 1 : 0;
            small += (int) evidence.tests().stream().filter(test -> test.pValue() < .1).count();
        }
        assertThat(rejected)
                .describedAs("rejections in honest runs")
                .isBetween(RUNS / 200, RUNS / 10);
        assertThat(small)
                .describedAs("p-values below .1 in four tests a run")
                .isBetween(RUNS / 5, RUNS * 31 / 50);
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new VerificationSettings(0, 1, 1, .01, .1, 0, 1))
                .hasMessage("samples 0 must be at least 1");
        assertThatThrownBy(() -> new VerificationSettings(1, 1, 1, 1, .1, 0, 1))
                .hasMessage("alpha 1.0 must be between 0 and 1");
    }

    private static VerificationSettings settings(int samples, long seed) {
        return new VerificationSettings(samples, 4 * samples, 60, .01, .4, seed, 1);
    }

    private static Evidence verify(
            TargetModel target,
            Drafter drafter,
            AcceptanceRule rule,
            VerificationSettings settings) {
        return of(run(variant(target, drafter, rule, WARM), settings));
    }

    private static Evidence of(List<Verification.Verified> all) {
        return all.getFirst().evidence();
    }

    private static List<Verification.Verified> run(Variant variant, VerificationSettings settings) {
        return new Verification(List.of(variant), PROMPTS, settings, () -> 0, () -> false)
                .run((_, _, _) -> {});
    }

    private static Variant variant(
            TargetModel target, Drafter drafter, AcceptanceRule rule, SamplingPolicy policy) {
        var decoder =
                new Decoder(
                        target,
                        Optional.of(drafter),
                        rule,
                        FixedLength.drafterLimit(),
                        false,
                        () -> 0);
        return new Variant(
                "variant",
                "plain",
                "table",
                rule.traits().name(),
                policy,
                Losslessness.LOSSLESS_IN_DISTRIBUTION,
                decoder,
                Optional.empty());
    }
}
