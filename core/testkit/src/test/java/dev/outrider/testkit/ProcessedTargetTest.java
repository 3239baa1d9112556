package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.LogitsProcessor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Logits processors in the production loop, with every random outcome, against a table whose
/// logits were processed beforehand.
class ProcessedTargetTest {
    private static final int VOCABULARY = 3;
    private static final SamplingPolicy PLAIN = SamplingPolicy.atTemperature(1);
    private static final List<SamplingPolicy> POLICIES =
            List.of(
                    PLAIN,
                    new SamplingPolicy(.7, 0, .8, 0, 1),
                    new SamplingPolicy(1.4, 2, 1, .1, 1.5),
                    SamplingPolicy.argmax());

    /// Bans the previous token, and raises the one after it: both need the history, and they do not
    /// commute.
    private static final LogitsProcessor NO_REPEAT =
            (logits, history) -> add(logits, last(history), Float.NEGATIVE_INFINITY);

    private static final LogitsProcessor FAVOUR =
            (logits, history) -> add(logits, (last(history) + 1) % VOCABULARY, 1.5f);
    private static final ProcessorChain CHAIN =
            new ProcessorChain(
                    List.of(
                            new ProcessorChain.Named("no-repeat", NO_REPEAT),
                            new ProcessorChain.Named("favour", FAVOUR)),
                    true);

    private final TableModel raw = TableModel.random(VOCABULARY, DistributionStyle.DENSE, 3);
    private final TableModel processed = processed(raw);
    private final TableModel draft = TableModel.random(VOCABULARY, DistributionStyle.DENSE, 4);

    static Stream<Arguments> pairings() {
        return Stream.of(
                Arguments.of(new TokenRejectionRule(), new TreePlan.Chain(2)),
                Arguments.of(new SampleAndMatchRule(), new TreePlan.LevelWidths(List.of(2, 2))),
                Arguments.of(
                        new KSequentialRule(), new TreePlan.SampledWithReplacement(List.of(2, 1))),
                Arguments.of(
                        new TraversalRule(),
                        new TreePlan.SampledWithoutReplacement(List.of(2, 1))));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void speculationFollowsTheProcessedDistribution(AcceptanceRule rule, TreePlan plan) {
        var drafter = new TableDrafter(draft, plan, PLAIN);
        var decoder = Toy.decoder(TableTarget.of(raw), drafter, rule).withProcessors(CHAIN);
        for (var policy : POLICIES) {
            ExactDistribution.assertExact(
                    decoder, processed, policy, Toy.PROMPT, rounds(plan), plan.maxDepth() + 1);
        }
    }

    @Test
    void plainDecodingFollowsTheProcessedDistribution() {
        for (var policy : POLICIES) {
            ExactDistribution.assertExact(plain(CHAIN), processed, policy, Toy.PROMPT, 3, 3);
        }
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void theEnumerationSeesARuleThatReadsTheModelsOwnLogits(AcceptanceRule rule, TreePlan plan) {
        var drafter = new TableDrafter(draft, plan, PLAIN);
        var unprocessed = Toy.decoder(TableTarget.of(raw), drafter, rule);

        assertThat(
                        ExactDistribution.error(
                                unprocessed,
                                processed,
                                PLAIN,
                                Toy.PROMPT,
                                rounds(plan),
                                plan.maxDepth() + 1))
                .isGreaterThan(.01);
    }

    @Test
    void theEnumerationSeesPlainDecodingThatIsNotProcessed() {
        assertThat(
                        ExactDistribution.error(
                                plain(ProcessorChain.none()), processed, PLAIN, Toy.PROMPT, 3, 3))
                .isGreaterThan(.01);
    }

    @Test
    void theEnumerationSeesProcessorsInAnotherOrder() {
        LogitsProcessor best = (logits, _) -> set(logits, 0, 3);
        LogitsProcessor worst = (logits, _) -> set(logits, 0, -3);
        var oneWay = chain(best, worst);
        var otherWay = chain(worst, best);

        assertThat(
                        ExactDistribution.distance(
                                ExactDistribution.emitted(plain(oneWay), PLAIN, Toy.PROMPT, 1),
                                ExactDistribution.emitted(plain(otherWay), PLAIN, Toy.PROMPT, 1)))
                .isGreaterThan(.5);
    }

    @Test
    void greedyOutputOfATreeIsThatOfPlainDecoding() {
        var drafter = new TableDrafter(draft, new TreePlan.LevelWidths(List.of(2, 2)), PLAIN);
        var request = DecodeRequest.of(Toy.PROMPT, 20, SamplingPolicy.argmax());
        var randomness = RandomnessSource.of(new KeyedRandomStreams(1, 0));
        int[] expected = plain(CHAIN).decode(request, randomness).tokens();
        int[] unprocessed = plain(ProcessorChain.none()).decode(request, randomness).tokens();

        assertThat(
                        Toy.decoder(TableTarget.of(raw), drafter, new SampleAndMatchRule())
                                .withProcessors(CHAIN)
                                .decode(request, randomness)
                                .tokens())
                .isEqualTo(expected)
                .isNotEqualTo(unprocessed);
    }

    @Test
    void aProcessorThatThrowsIsNamed() {
        assertFails(
                (_, history) -> {
                    throw new IllegalStateException("no grammar after " + last(history));
                },
                "PLUGIN_FAILED: logits processor 'one' failed after 2 tokens: java.lang.IllegalStateException: no grammar after 1\n"
                        + "  Report it to its author, or leave it out of 'processors'.");
    }

    @Test
    void aLogitThatIsNoNumberIsRefused() {
        assertFails(
                (logits, _) -> set(logits, 2, Float.NaN),
                "CONTRACT_BROKEN: logits processor 'one' made NaN of the logit of token 2, expected a finite number or minus infinity\n"
                        + "  This is a bug in the processor: report it to its author.");
    }

    @Test
    void nothingPossibleIsRefused() {
        assertFails(
                (logits, _) -> logits.copyFrom(endless()),
                "CONTRACT_BROKEN: logits processor 'one' made all 3 tokens impossible, expected a finite logit\n"
                        + "  This is a bug in the processor: report it to its author.");
    }

    @Test
    void aProcessorThatIsNoFunctionIsFoundByTheCheck() {
        var calls = new AtomicInteger();

        assertFails(
                (logits, _) -> set(logits, 1, calls.incrementAndGet()),
                "CONTRACT_BROKEN: logits processor 'one' made 1.0 and then 2.0 of the same logit of token 1, expected a function of its arguments\n"
                        + "  This is a bug in the processor: report it to its author.");
    }

    /// Two rounds of trees take a minute.
    private static int rounds(TreePlan plan) {
        return plan instanceof TreePlan.Chain ? 2 : 1;
    }

    private void assertFails(LogitsProcessor processor, String message) {
        var decoder = plain(chain(processor));
        var request = DecodeRequest.of(Toy.PROMPT, 3, PLAIN);

        assertThatThrownBy(() ->
                        decoder.decode(request, RandomnessSource.of(new KeyedRandomStreams(1, 0))))
                .isInstanceOf(OutriderException.class)
                .hasMessage(message);
    }

    private static ProcessorChain chain(LogitsProcessor... processors) {
        var names = List.of("one", "two");
        return new ProcessorChain(
                Arrays.stream(processors)
                        .map(each ->
                                new ProcessorChain.Named(
                                        names.get(Arrays.asList(processors).indexOf(each)), each))
                        .toList(),
                true);
    }

    private Decoder plain(ProcessorChain processors) {
        return Decoder.plain(TableTarget.of(raw), new TokenRejectionRule(), () -> 0)
                .withProcessors(processors);
    }

    /// Returns the same logits, processed inside the table.
    private static TableModel processed(TableModel raw) {
        return TableModel.of(
                VOCABULARY,
                prefix -> {
                    int[] tokens = prefix.stream().mapToInt(Integer::intValue).toArray();
                    var row = raw.logits(tokens).clone();
                    var logits = MemorySegment.ofArray(row);
                    NO_REPEAT.process(logits, TokenHistory.of(tokens));
                    FAVOUR.process(logits, TokenHistory.of(tokens));
                    var weights = new double[VOCABULARY];
                    Arrays.setAll(weights, token -> Math.exp(row[token]));
                    return weights;
                });
    }

    private static int last(TokenHistory history) {
        int[] path = history.path();
        return path.length > 0 ? path[path.length - 1] : history.committed()[history.length() - 1];
    }

    private static MemorySegment endless() {
        var row = new float[VOCABULARY];
        Arrays.fill(row, Float.NEGATIVE_INFINITY);
        return MemorySegment.ofArray(row);
    }

    private static void add(MemorySegment logits, int token, float bias) {
        set(logits, token, logits.getAtIndex(ValueLayout.JAVA_FLOAT, token) + bias);
    }

    private static void set(MemorySegment logits, int token, float logit) {
        logits.setAtIndex(ValueLayout.JAVA_FLOAT, token, logit);
    }
}
