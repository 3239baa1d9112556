package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.beam.BeamDecoder;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.beam.BeamSettings.EarlyStopping;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetSession;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Beam search is what its definition says, with every option, and with guesses it is the same to the last bit.
class BeamSearchTest {
    private static final int VOCABULARY = 6;
    private static final int PROMPTS = Boolean.getBoolean("outrider.nightly") ? 200 : 60;
    private static final int MAX_TOKENS = 9;
    private static final Set<Integer> ENDS = Set.of(0);

    /// After the last two tokens, few kinds of weights: many texts are equally probable.
    private static final TableModel TIES =
            TableModel.of(
                    VOCABULARY,
                    prefix -> {
                        int from = Math.max(0, prefix.size() - 2);
                        var random =
                                new SplittableRandom(
                                        prefix.subList(from, prefix.size()).hashCode());
                        return random.ints(VOCABULARY, 0, 3)
                                .mapToDouble(power -> 1 << power)
                                .toArray();
                    });

    private static final TableModel DENSE =
            TableModel.random(VOCABULARY, DistributionStyle.DENSE, 3);

    private static List<BeamSettings> settings() {
        return List.of(
                ofWidth(1),
                ofWidth(2),
                new BeamSettings(3, 3, 1, EarlyStopping.FALSE, 0, 0, List.of()),
                new BeamSettings(4, 2, 0, EarlyStopping.TRUE, 0, 2, List.of()),
                new BeamSettings(4, 4, 2, EarlyStopping.NEVER, 2, 0, List.of()),
                new BeamSettings(4, 4, -1, EarlyStopping.NEVER, 0, 3, List.of()),
                new BeamSettings(5, 5, 0.7, EarlyStopping.FALSE, 3, 1, List.of(1, 4)),
                new BeamSettings(8, 8, 1, EarlyStopping.TRUE, 1, 0, List.of()),
                new BeamSettings(16, 16, 1, EarlyStopping.FALSE, 2, 4, List.of(0, 1, 2)));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void plainSearchIsItsDefinition(BeamSettings settings) {
        int tied = 0;
        for (int number = 0; number < PROMPTS; number++) {
            var model = number % 2 == 0 ? TIES : DENSE;
            int[] prompt = prompt(number);
            var expected = reference(model, settings).search(prompt);
            var found = search(target(model), Optional.empty(), settings, prompt);

            assertThat(found.hypotheses())
                    .describedAs("prompt %d, %s", number, settings)
                    .isEqualTo(expected);
            assertThat(found.tokens()).isEqualTo(expected.getFirst().ids());
            tied += hasTies(expected) ? 1 : 0;
        }
        if (settings.nBest() > 2 && settings.earlyStopping() == EarlyStopping.FALSE) {
            assertThat(tied)
                    .describedAs("prompts with hypotheses that tie")
                    .isGreaterThan(PROMPTS / 40);
        }
    }

    private static boolean hasTies(List<Hypothesis> hypotheses) {
        return hypotheses.stream().map(Hypothesis::score).distinct().count() < hypotheses.size();
    }

    @Test
    void aScoreIsTheSumOfLogProbabilitiesOverAPowerOfTheLength() {
        var settings = new BeamSettings(4, 4, 0.5, EarlyStopping.FALSE, 0, 0, List.of());
        int[] prompt = prompt(1);
        for (var found : search(target(DENSE), Optional.empty(), settings, prompt).hypotheses()) {
            double product = 1;
            int[] text = prompt;
            for (int token : found.tokens()) {
                product *= DENSE.distribution(SamplingPolicy.atTemperature(1), text)[token];
                text = IntStream.concat(IntStream.of(text), IntStream.of(token)).toArray();
            }
            assertThat(found.logProbability()).isCloseTo(Math.log(product), within(1e-9));
            assertThat(found.score())
                    .isCloseTo(Math.log(product) / Math.sqrt(found.tokens().size()), within(1e-9));
        }
    }

    /// Drafters that are always right, always wrong, mostly right, or draw; chains and trees.
    private static Map<String, Drafter> drafters(TableModel model) {
        var greedy = SamplingPolicy.argmax();
        var wrong = TableModel.random(VOCABULARY, DistributionStyle.DENSE, 99);
        var sampled = SamplingPolicy.atTemperature(1);
        Map<String, Drafter> drafters = new TreeMap<>();
        drafters.put("right chain", new TableDrafter(model, new TreePlan.Chain(4), sampled));
        drafters.put("right tree", tree(model, VOCABULARY, VOCABULARY, 2));
        drafters.put("narrow tree", tree(model, 3, 2, 1));
        drafters.put("wrong chain", new TableDrafter(wrong, new TreePlan.Chain(3), greedy));
        drafters.put("wrong tree", tree(wrong, 2, 2));
        drafters.put(
                "drawn",
                new TableDrafter(
                        model, new TreePlan.SampledWithReplacement(List.of(3, 2)), sampled));
        return drafters;
    }

    private static Drafter tree(TableModel model, Integer... widths) {
        // Ranks follow the distribution, which at temperature 0 is one-hot: the tree is of the
        // softmax.
        return new TableDrafter(
                model,
                new TreePlan.SampledWithoutReplacement(List.of(widths)),
                SamplingPolicy.atTemperature(1));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void guessesChangeNothingButTheNumberOfPasses(BeamSettings settings) {
        Map<String, Integer> saved = new TreeMap<>();
        for (int number = 0; number < 40; number++) {
            var model = number % 2 == 0 ? TIES : DENSE;
            int[] prompt = prompt(number);
            var plain = search(target(model), Optional.empty(), settings, prompt);
            drafters(model)
                    .forEach((name, drafter) -> {
                        var found = search(target(model), Optional.of(drafter), settings, prompt);

                        assertThat(found.hypotheses())
                                .describedAs("%s, %s", name, settings)
                                .isEqualTo(plain.hypotheses());
                        assertThat(found.rounds())
                                .describedAs(name)
                                .isLessThanOrEqualTo(plain.rounds());
                        saved.merge(name, plain.rounds() - found.rounds(), Integer::sum);
                    });
        }
        assertThat(saved.get("right tree")).describedAs("%s", saved).isPositive();
    }

    @Test
    void sessionsThatHoldNoRowsFindTheSameInAsManyPasses() {
        var settings = new BeamSettings(4, 4, 1, EarlyStopping.FALSE, 0, 0, List.of());
        var drafter = Optional.of(tree(DENSE, 3, 2));
        for (int number = 0; number < 40; number++) {
            int[] prompt = prompt(number);
            var held = search(target(DENSE), drafter, settings, prompt);
            var rescored = search(new Forgetting(target(DENSE)), drafter, settings, prompt);

            assertThat(rescored.hypotheses()).isEqualTo(held.hypotheses());
            assertThat(rescored.rounds()).isEqualTo(held.rounds());
        }
    }

    @Test
    void heldRowsAreNotScoredAgain() {
        var settings = ofWidth(4);
        var held = metrics(target(DENSE), Optional.empty(), settings);
        var rescored = metrics(new Forgetting(target(DENSE)), Optional.empty(), settings);

        assertThat(held.meanRows()).isLessThanOrEqualTo(4);
        assertThat(rescored.meanRows()).isGreaterThan(held.meanRows());
    }

    @Test
    void plainSearchTakesOneStepAPass() {
        var plain = metrics(target(DENSE), Optional.empty(), ofWidth(4));

        assertThat(plain.emitted()).isEqualTo(plain.rounds());
        assertThat(plain.passesSaved()).isZero();
        assertThat(plain.drafts()).isZero();
        assertThat(plain.rejections()).isZero();
    }

    @Test
    void stepsGuessesAndUsesAreCounted() {
        var whole = tree(DENSE, VOCABULARY, VOCABULARY);
        var right = metrics(target(DENSE), Optional.of(whole), ofWidth(2));
        var wrong =
                new TableDrafter(
                        TableModel.constant(1, 0, 0, 0, 0, 0),
                        new TreePlan.Chain(2),
                        SamplingPolicy.argmax());
        var none = metrics(target(DENSE), Optional.of(wrong), ofWidth(2));

        assertThat(right.alpha()).isEqualTo(1);
        assertThat(right.tokensPerRound()).isGreaterThan(2);
        assertThat(right.accepted()).isEqualTo(right.emitted() - right.rounds());
        assertThat(right.kept()).isLessThan(right.drafted());
        assertThat(right.kept()).isGreaterThanOrEqualTo(right.accepted());
        assertThat(none.alpha()).isZero();
        assertThat(none.kept()).isZero();
        assertThat(none.rounds()).isEqualTo(none.emitted());
    }

    @Test
    void guessesDoNotCrowdOutTheBeams() {
        var settings = ofWidth(3);
        var drafter = Optional.of(tree(DENSE, VOCABULARY, VOCABULARY, 2));
        int fitting = 0;
        for (int positions = 14; positions < 40; positions++) {
            var narrow = new TableTarget(DENSE, positions, ENDS);
            for (int number = 0; number < 10; number++) {
                Generation plain;
                try {
                    plain = search(narrow, Optional.empty(), settings, prompt(number));
                } catch (OutriderException e) {
                    assertThat(e.code()).isEqualTo(ErrorCode.CONTEXT_EXCEEDED);
                    continue;
                }
                fitting++;
                assertThat(search(narrow, drafter, settings, prompt(number)).hypotheses())
                        .isEqualTo(plain.hypotheses());
            }
        }
        assertThat(fitting).isGreaterThan(100);
    }

    @Test
    void beamsThatOutgrowTheCacheEndTheSearchWithAWordOnWhatToDo() {
        var spread = TableModel.constant(0, 1, 1, 1, 1, 1);
        var narrow = new TableTarget(spread, 12, ENDS);

        assertThatThrownBy(() -> search(narrow, Optional.empty(), ofWidth(16), prompt(0)))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("CONTEXT_EXCEEDED")
                .hasMessageContaining("Set fewer beams");
    }

    /// A control that the equality must find: a search that uses rows of another beam.
    @Test
    void aTargetThatKeepsTheWrongRowsIsFound() {
        var settings = new BeamSettings(4, 4, 1, EarlyStopping.FALSE, 0, 0, List.of());
        int different = 0;
        for (int number = 0; number < 20; number++) {
            int[] prompt = prompt(number);
            var plain = search(target(DENSE), Optional.empty(), settings, prompt);
            var forgetful =
                    search(
                            new ForgetfulTarget(new Forgetting(target(DENSE))),
                            Optional.of(tree(DENSE, 3, 2)),
                            settings,
                            prompt);
            different += forgetful.hypotheses().equals(plain.hypotheses()) ? 0 : 1;
        }
        assertThat(different).isPositive();
    }

    @Test
    void cancellingReturnsTheBestSoFar() {
        var asked = new AtomicInteger();
        var decoder = new BeamDecoder(decoder(target(DENSE), Optional.empty()), ofWidth(3));
        var generation =
                decoder.decode(
                        DecodeRequest.of(prompt(3), MAX_TOKENS, SamplingPolicy.argmax()),
                        randomness(),
                        DecodeListener.none(),
                        () -> asked.incrementAndGet() > 2);

        assertThat(generation.reason()).isEqualTo(FinishReason.CANCELLED);
        assertThat(generation.rounds()).isEqualTo(2);
        assertThat(generation.hypotheses()).hasSize(1);
    }

    @Test
    void theBestHypothesisSaysWhyItEnded() {
        var ends = TableModel.constant(8, 1, 1, 1, 1, 1);
        var goesOn = TableModel.constant(0, 1, 1, 1, 1, 1);

        assertThat(search(target(ends), Optional.empty(), ofWidth(2), prompt(0)).reason())
                .isEqualTo(FinishReason.END_OF_SEQUENCE);
        assertThat(search(target(goesOn), Optional.empty(), ofWidth(2), prompt(0)).reason())
                .isEqualTo(FinishReason.MAX_TOKENS);
    }

    @Test
    void textsThatMayNotGoOnAreHypothesesAsTheyAre() {
        var settings = new BeamSettings(2, 2, 1, EarlyStopping.FALSE, 1, MAX_TOKENS, List.of());
        var found = search(target(DENSE), Optional.empty(), settings, new int[] {1, 2, 3});

        assertThat(found.hypotheses())
                .allSatisfy(each -> assertThat(each.tokens()).containsExactlyInAnyOrder(4, 5));
        assertThat(reference(DENSE, settings).search(1, 2, 3)).isEqualTo(found.hypotheses());
    }

    @Test
    void whatCannotBeSearchedForIsRefused() {
        var decoder = new BeamDecoder(decoder(target(DENSE), Optional.empty()), ofWidth(2));
        var sampled = DecodeRequest.of(prompt(0), 4, SamplingPolicy.atTemperature(1));
        var stopped = new DecodeRequest(prompt(0), 4, SamplingPolicy.argmax(), List.of("a"), false);
        var far = new BeamSettings(2, 1, 1, EarlyStopping.FALSE, 0, 0, List.of(VOCABULARY));
        var both = new BeamSettings(2, 1, 1, EarlyStopping.FALSE, 0, 0, List.of(1));
        var late = new BeamSettings(2, 1, 1, EarlyStopping.FALSE, 0, 10, List.of());

        refused(decoder, sampled, ErrorCode.CONFIG_INVALID, "temperature=1.0");
        refused(decoder, stopped, ErrorCode.CONFIG_INVALID, "'stop'");
        refused(
                new BeamDecoder(decoder.decoder(), far),
                DecodeRequest.of(prompt(0), 4, SamplingPolicy.argmax()),
                ErrorCode.TOKEN_OUT_OF_RANGE,
                "endTokens has 6");
        refused(
                new BeamDecoder(decoder.decoder(), both),
                new DecodeRequest(prompt(0), 4, SamplingPolicy.argmax(), List.of(), true),
                ErrorCode.CONFIG_INVALID,
                "ignoreEndOfSequence");
        refused(
                new BeamDecoder(decoder.decoder(), late),
                DecodeRequest.of(prompt(0), 4, SamplingPolicy.argmax()),
                ErrorCode.CONFIG_INVALID,
                "minTokens 10");
    }

    private static void refused(
            BeamDecoder decoder, DecodeRequest request, ErrorCode code, String words) {
        assertThatThrownBy(() ->
                        decoder.decode(request, randomness(), DecodeListener.none(), () -> false))
                .isInstanceOfSatisfying(
                        OutriderException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(words);
    }

    /// Sessions that are no forests.
    private record Forgetting(TargetModel target) implements ForwardingTarget {
        @Override
        public TargetSession open(SessionRequest request) {
            var session = target.open(request);
            return (ForwardingTargetSession) () -> session;
        }
    }

    private static TableTarget target(TableModel model) {
        return new TableTarget(model, 256, ENDS);
    }

    private static ReferenceBeamSearch reference(TableModel model, BeamSettings settings) {
        var ends = settings.endTokens().isEmpty() ? ENDS : Set.copyOf(settings.endTokens());
        return new ReferenceBeamSearch(model, settings, ends, MAX_TOKENS);
    }

    private static int[] prompt(int number) {
        return new SplittableRandom(number).ints(1 + number % 5, 1, VOCABULARY).toArray();
    }

    private static Decoder decoder(TargetModel target, Optional<Drafter> drafter) {
        return new Decoder(
                target, drafter, new GreedyRule(), FixedLength.drafterLimit(), true, () -> 0);
    }

    private static RandomnessSource randomness() {
        return RandomnessSource.of(new KeyedRandomStreams(1, 0));
    }

    private static Generation search(
            TargetModel target, Optional<Drafter> drafter, BeamSettings settings, int... prompt) {
        return new BeamDecoder(decoder(target, drafter), settings)
                .decode(
                        DecodeRequest.of(prompt, MAX_TOKENS, SamplingPolicy.argmax()),
                        randomness(),
                        DecodeListener.none(),
                        () -> false);
    }

    private static DecodeMetrics metrics(
            TargetModel target, Optional<Drafter> drafter, BeamSettings settings) {
        var collector = new MetricsCollector();
        for (int number = 0; number < 20; number++) {
            var request = DecodeRequest.of(prompt(number), MAX_TOKENS, SamplingPolicy.argmax());
            var done =
                    new BeamDecoder(decoder(target, drafter), settings)
                            .decode(request, randomness(), collector, () -> false);
            assertThat(done.hypotheses()).isNotEmpty();
        }
        return collector.metrics();
    }

    /// The defaults of so many beams.
    private static BeamSettings ofWidth(int beams) {
        return new BeamSettings(beams, 1, 1, EarlyStopping.FALSE, 0, 0, List.of());
    }
}
