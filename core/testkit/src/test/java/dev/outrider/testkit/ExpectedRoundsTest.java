package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.SamplingOperators.Mirostat;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.prediction.ExpectedRounds;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares the prediction with the real loop, whose rounds are enumerated: over all texts, the
/// mean of the predicted rounds equals the mean of the real rounds.
class ExpectedRoundsTest {
    private static final double TOLERANCE = 0.08;
    private static final int SAMPLES = 400;
    private static final TableModel TARGET = TableModel.random(3, DistributionStyle.DENSE, 5);
    private static final TableModel NOISE = TableModel.random(3, DistributionStyle.DENSE, 6);
    private static final TableModel DRAFT = TableModel.of(3, ExpectedRoundsTest::guess);

    /// Returns a mixture of the target's distribution and noise.
    private static double[] guess(List<Integer> prefix) {
        double[] target = TARGET.distribution(Toy.PLAIN, array(prefix));
        double[] noise = NOISE.distribution(Toy.PLAIN, array(prefix));
        return IntStream.range(0, 3).mapToDouble(i -> 0.7 * target[i] + 0.3 * noise[i]).toArray();
    }

    static Stream<Arguments> enumerable() {
        return Stream.of(
                Arguments.of(new MultiStepRule(), independent(2)),
                Arguments.of(new KSequentialRule(), independent(2)),
                Arguments.of(new TraversalRule(), independent(2)),
                Arguments.of(new WithoutReplacementRule(), distinct(2)),
                Arguments.of(new TraversalRule(), distinct(2)),
                Arguments.of(new TokenRejectionRule(), new TreePlan.Chain(1)),
                Arguments.of(new TokenRejectionRule(), new TreePlan.Chain(2)),
                Arguments.of(new BlockVerificationRule(), new TreePlan.Chain(2)),
                Arguments.of(new SampleAndMatchRule(), new TreePlan.Chain(2)),
                Arguments.of(new SampleAndMatchRule(), new TreePlan.LevelWidths(List.of(2, 1))));
    }

    @ParameterizedTest
    @MethodSource("enumerable")
    void meanOverTextsIsTheMeanOfRealRounds(AcceptanceRule rule, TreePlan plan) {
        var decoder = decoder(rule, plan, Toy.PLAIN);

        assertThat(predicted(decoder, Toy.PLAIN, 3))
                .isCloseTo(run(decoder, Toy.PLAIN, 3), within(1e-9));
    }

    /// Guided draws of two levels have too many outcomes to enumerate, so these are sampled; the
    /// real rounds are enumerated.
    @Test
    void meanOverGuidedDraftsIsTheMeanOfRealRounds() {
        var decoder = decoder(new TraversalRule(), distinct(2, 1), Toy.PLAIN);

        assertThat(drawn(decoder, 3)).isCloseTo(run(decoder, Toy.PLAIN, 3), within(TOLERANCE));
    }

    @Test
    void holdsOverFourTokensAndUnderTruncationAndPenalty() {
        var policy = new SamplingPolicy(1.4, 2, 1, .1, 1.5);
        for (var rule : List.of(new TokenRejectionRule(), new BlockVerificationRule())) {
            var decoder = decoder(rule, new TreePlan.Chain(2), policy);
            assertThat(predicted(decoder, policy, 4))
                    .isCloseTo(run(decoder, policy, 4), within(1e-9));
        }
    }

    /// The state goes along the text.
    @Test
    void holdsWithOperatorsThatHaveAState() {
        var settings = OperatorSettings.of("mirostat", Optional.of(new Mirostat(1, 1)));
        var chain = new ProcessorChain(List.of(), true, OperatorChain.of(settings, 3, Set.of()));
        var plain =
                Decoder.plain(TableTarget.of(TARGET), new TokenRejectionRule(), () -> 0)
                        .withProcessors(chain);
        var texts = ExactDistribution.emitted(plain, Toy.PLAIN, Toy.PROMPT, 4);
        var decoder =
                decoder(new TokenRejectionRule(), new TreePlan.Chain(2), Toy.PLAIN)
                        .withProcessors(chain);

        assertThat(predicted(decoder, texts, Toy.PLAIN, 4))
                .isCloseTo(run(decoder, Toy.PLAIN, 4), within(1e-9));
    }

    @Test
    void greedyRoundsArePredictedOneByOne() {
        var greedy = SamplingPolicy.argmax();
        for (var plan : List.of(new TreePlan.Chain(3), new TreePlan.LevelWidths(List.of(2, 1)))) {
            var decoder =
                    Toy.decoder(
                            TableTarget.of(TARGET),
                            new TableDrafter(DRAFT, plan, greedy),
                            new TokenRejectionRule());
            assertThat(predicted(decoder, greedy, 12))
                    .isEqualTo(run(decoder, greedy, 12))
                    .isLessThan(12);
        }
    }

    /// Control: drafts of another position give other predictions.
    @ParameterizedTest
    @MethodSource("enumerable")
    void draftsOfTheNeighbouringPositionPredictOtherRounds(AcceptanceRule rule, TreePlan plan) {
        var neighbour =
                TableModel.of(
                        3,
                        prefix ->
                                DRAFT.distribution(
                                        Toy.PLAIN, array(prefix.subList(0, prefix.size() - 1))));
        var shifted = decoder(neighbour, rule, plan, Toy.PLAIN);

        double right = run(decoder(rule, plan, Toy.PLAIN), Toy.PLAIN, 3);

        assertThat(Math.abs(predicted(shifted, Toy.PLAIN, 3) - right)).isGreaterThan(0.02);
    }

    @Test
    void plainDecodingTakesARoundAToken() {
        var plain = Decoder.plain(TableTarget.of(TARGET), new TokenRejectionRule(), () -> 0);

        assertThat(rounds(plain, Toy.PLAIN, 0, 1, 2)).isEqualTo(3);
    }

    @Test
    void refusesATextThatTheTargetWouldNotWrite() {
        var greedy = SamplingPolicy.argmax();
        var decoder = decoder(new TokenRejectionRule(), new TreePlan.Chain(2), greedy);
        int unlikely = TARGET.distribution(greedy, Toy.PROMPT)[0] > 0 ? 1 : 0;

        assertThatThrownBy(() -> rounds(decoder, greedy, unlikely, 0))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        DATA_INVALID: the target would never write token %d at position 2 of the text
                          Predict on text that this target wrote, under the same sampling policy.\
                        """
                                .formatted(unlikely));
    }

    @Test
    void refusesARuleThatSharesNoiseWithItsDrafts() {
        var decoder = decoder(new GumbelCoupledRule(), new TreePlan.Coupled(List.of(1)), Toy.PLAIN);

        assertThatThrownBy(() -> rounds(decoder, Toy.PLAIN, 0, 1))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        CAPABILITY_MISSING: rule 'gumbel-coupled' shares noise with its drafts, so that its odds cannot be computed
                          Measure it with 'outrider bench', or predict another rule.\
                        """);
    }

    /// Returns the mean of the predicted rounds over the target's texts and all draws.
    private static double predicted(Decoder decoder, SamplingPolicy policy, int length) {
        var texts = ExactDistribution.ofTarget(TARGET, policy, Toy.PROMPT, length);
        return predicted(decoder, texts, policy, length);
    }

    private static double predicted(
            Decoder decoder, Map<List<Integer>, Double> texts, SamplingPolicy policy, int length) {
        return texts.entrySet().stream()
                .filter(text -> text.getValue() > 0)
                .mapToDouble(text ->
                        text.getValue()
                                * mean(
                                        ForkedRandomness.enumerate(randomness ->
                                                new ExpectedRounds(decoder)
                                                        .of(
                                                                request(policy, length),
                                                                array(text.getKey()),
                                                                _ -> randomness))))
                .sum();
    }

    /// Like [#predicted], with sampled drafts.
    private static double drawn(Decoder decoder, int length) {
        return ExactDistribution.ofTarget(TARGET, Toy.PLAIN, Toy.PROMPT, length).entrySet().stream()
                .mapToDouble(text ->
                        text.getValue()
                                * IntStream.range(0, SAMPLES)
                                        .mapToDouble(sample ->
                                                new ExpectedRounds(decoder)
                                                        .of(
                                                                request(Toy.PLAIN, length),
                                                                array(text.getKey()),
                                                                RandomnessSource.of(
                                                                        new KeyedRandomStreams(
                                                                                7, sample))))
                                        .average()
                                        .orElseThrow())
                .sum();
    }

    private static double run(Decoder decoder, SamplingPolicy policy, int length) {
        return mean(
                ForkedRandomness.enumerate(randomness ->
                        (double)
                                decoder.decode(request(policy, length), _ -> randomness).rounds()));
    }

    private static double rounds(Decoder decoder, SamplingPolicy policy, int... written) {
        return mean(
                ForkedRandomness.enumerate(randomness ->
                        new ExpectedRounds(decoder)
                                .of(request(policy, written.length), written, _ -> randomness)));
    }

    private static double mean(Map<Double, Double> distribution) {
        return distribution.entrySet().stream()
                .mapToDouble(outcome -> outcome.getKey() * outcome.getValue())
                .sum();
    }

    private static DecodeRequest request(SamplingPolicy policy, int length) {
        return new DecodeRequest(Toy.PROMPT, length, policy, List.of(), true);
    }

    private static Decoder decoder(AcceptanceRule rule, TreePlan plan, SamplingPolicy policy) {
        return decoder(DRAFT, rule, plan, policy);
    }

    private static Decoder decoder(
            TableModel draft, AcceptanceRule rule, TreePlan plan, SamplingPolicy policy) {
        return Toy.decoder(TableTarget.of(TARGET), new TableDrafter(draft, plan, policy), rule);
    }

    private static TreePlan independent(Integer... widths) {
        return new TreePlan.SampledWithReplacement(List.of(widths));
    }

    private static TreePlan distinct(Integer... widths) {
        return new TreePlan.SampledWithoutReplacement(List.of(widths));
    }

    private static int[] array(List<Integer> tokens) {
        return tokens.stream().mapToInt(Integer::intValue).toArray();
    }
}
