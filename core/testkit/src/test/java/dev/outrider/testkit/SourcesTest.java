package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.beam.BeamDecoder;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.beam.BeamSettings.EarlyStopping;
import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.BatchDecoder.Item;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.exactness.JointDistribution;
import dev.outrider.engine.exactness.SequenceCells;
import dev.outrider.engine.exactness.TokenQuantiles;
import dev.outrider.engine.exactness.Trace;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A source goes with its sequence wherever the engine takes it, and nowhere else.
class SourcesTest {
    private static final List<Integer> SOURCE = List.of(2, 0, 1);
    private static final List<Integer> OTHER = List.of(1, 1);
    private static final DecodeRequest REQUEST =
            ExactDistribution.endless(Toy.PLAIN, Toy.PROMPT).withSource(SOURCE);
    private static final TableModel P = TableModel.random(3, DistributionStyle.DENSE, 1);
    private static final TableModel Q = TableModel.random(3, DistributionStyle.DENSE, 2);
    private static final Drafter CHAIN = new TableDrafter(Q, new TreePlan.Chain(2), Toy.PLAIN);

    /// A drafter and a rule that is exact for it.
    record Pair(Drafter drafter, AcceptanceRule rule) {}

    static Stream<Pair> pairs() {
        var top = new TableDrafter(Q, new TreePlan.LevelWidths(List.of(2, 1)), Toy.PLAIN);
        var distinct =
                new TableDrafter(Q, new TreePlan.SampledWithoutReplacement(List.of(2)), Toy.PLAIN);
        return Stream.of(
                new Pair(CHAIN, new TokenRejectionRule()),
                new Pair(CHAIN, new BlockVerificationRule()),
                new Pair(top, new SampleAndMatchRule()),
                new Pair(distinct, new WithoutReplacementRule()));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void draftersThatReadTheSourceAreExactOverTwoRounds(Pair pair) {
        assertExact(TableTarget.reading(P), pair.drafter(), pair.rule());
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void draftersThatDoNotLookAtTheSourceAreExactToo(Pair pair) {
        assertExact(TableTarget.reading(P), reading(pair.drafter(), List.of()), pair.rule());
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aDrafterThatReadsAnothersSourceDoesNoHarm(Pair pair) {
        assertExact(TableTarget.reading(P), reading(pair.drafter(), OTHER), pair.rule());
    }

    @ParameterizedTest
    @EnumSource(DistributionStyle.class)
    void targetsOfEveryStyleAreFollowedAfterTheirSource(DistributionStyle style) {
        var table = TableModel.random(3, style, 5);
        ExactDistribution.assertExact(
                Toy.decoder(TableTarget.reading(table), CHAIN, new TokenRejectionRule()),
                table,
                REQUEST,
                2,
                4);
    }

    private static void assertExact(TargetModel target, Drafter drafter, AcceptanceRule rule) {
        ExactDistribution.assertExact(Toy.decoder(target, drafter, rule), P, REQUEST, 2, 4);
    }

    /// The enumeration sees which source was read.
    @Test
    void theDistributionAfterAnotherSourceIsAnother() {
        var decoder = Toy.decoder(TableTarget.reading(P), CHAIN, new TokenRejectionRule());
        var forgetting = Toy.decoder(new OtherSource(0), CHAIN, new TokenRejectionRule());

        assertThat(error(decoder, 1, 3)).isLessThan(ExactDistribution.TOLERANCE);
        assertThat(error(forgetting, 1, 3)).isGreaterThan(.01);
    }

    @Test
    void aTargetThatForgetsItsSourceAfterTheFirstRoundIsCaught() {
        var decoder = Toy.decoder(new OtherSource(1), CHAIN, new TokenRejectionRule());

        assertThat(error(decoder, 1, 3)).isLessThan(ExactDistribution.TOLERANCE);
        assertThat(error(decoder, 2, 4)).isGreaterThan(.01);
    }

    private static double error(Decoder decoder, int rounds, int length) {
        return ExactDistribution.error(decoder, P, REQUEST, rounds, length);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 20})
    void aBatchOfRaggedSourcesIsWhatEachIsAlone(int width) {
        for (var policy : List.of(SamplingPolicy.argmax(), Toy.PLAIN)) {
            var decoder = Toy.decoder(TableTarget.reading(P), CHAIN, new BlockVerificationRule());

            assertThat(together(decoder, width, policy)).isEqualTo(alone(policy));
        }
    }

    @Test
    void aTargetThatReadsAnotherSequencesSourceInABatchIsCaught() {
        var mixing =
                Toy.decoder(
                        new PreviousSource(new ArrayList<>()), CHAIN, new BlockVerificationRule());

        assertThat(together(mixing, 3, Toy.PLAIN)).isNotEqualTo(alone(Toy.PLAIN));
    }

    /// Guesses from another's source change the rounds, and no greedy token.
    @Test
    void aDrafterThatReadsAnotherSequencesSourceInABatchWritesTheSameGreedyText() {
        var mixing = new PreviousSourceDrafter(CHAIN, new ArrayList<>());
        var decoder = Toy.decoder(TableTarget.reading(P), mixing, new SampleAndMatchRule());

        assertThat(together(decoder, 3, SamplingPolicy.argmax()))
                .isEqualTo(alone(SamplingPolicy.argmax()));
    }

    private static List<List<Integer>> together(Decoder decoder, int width, SamplingPolicy policy) {
        return new BatchDecoder(decoder, width)
                .decode(items(policy), () -> false).stream()
                        .map(each -> tokens(each.orElseThrow()))
                        .toList();
    }

    private static List<List<Integer>> alone(SamplingPolicy policy) {
        return items(policy).stream()
                .map(item ->
                        tokens(
                                Toy.decoder(
                                                TableTarget.reading(P),
                                                CHAIN,
                                                new BlockVerificationRule())
                                        .decode(item.request(), item.randomness())))
                .toList();
    }

    private static List<Integer> tokens(Generation generation) {
        return Arrays.stream(generation.tokens()).boxed().toList();
    }

    private static List<Item> items(SamplingPolicy policy) {
        var items = new ArrayList<Item>();
        for (int index = 0; index < 7; index++) {
            var request =
                    DecodeRequest.of(Toy.PROMPT, 6 + index, policy)
                            .withSource(Collections.nCopies(1 + 3 * index % 7, index % 3));
            items.add(new Item(request, randomness(index), DecodeListener.none()));
        }
        return items;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aSearchReadsTheSource(int beams) {
        var settings = new BeamSettings(beams, beams, 1, EarlyStopping.FALSE, 0, 0, List.of());
        var expected = searched(TableTarget.of(P.after(SOURCE)), Optional.empty(), List.of());
        var other = searched(TableTarget.of(P), Optional.empty(), List.of());
        for (var drafter : List.of(Optional.<Drafter>empty(), Optional.of(CHAIN))) {
            assertThat(searched(TableTarget.reading(P), drafter, SOURCE).apply(settings))
                    .isEqualTo(expected.apply(settings));
        }
        assertThat(expected.apply(settings)).isNotEqualTo(other.apply(settings));
    }

    private static Function<BeamSettings, Object> searched(
            TargetModel target, Optional<Drafter> drafter, List<Integer> source) {
        var decoder =
                new Decoder(
                        target,
                        drafter,
                        new GreedyRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        return settings ->
                new BeamDecoder(decoder, settings)
                        .decode(
                                DecodeRequest.of(Toy.PROMPT, 6, SamplingPolicy.argmax())
                                        .withSource(source),
                                randomness(0),
                                DecodeListener.none(),
                                () -> false)
                        .hypotheses();
    }

    /// The evidence of `verify-exactness` is about the distribution after the source.
    @Test
    void distributionTestsReadTheSource() {
        var target = TableTarget.reading(P);
        var honest = Toy.decoder(target, CHAIN, new TokenRejectionRule());
        var forgetting = Toy.decoder(new OtherSource(0), CHAIN, new TokenRejectionRule());

        assertThat(refuted(target, honest)).isFalse();
        assertThat(refuted(target, forgetting)).isTrue();
        assertThat(refutedByQuantiles(target, honest)).isFalse();
        assertThat(refutedByQuantiles(target, forgetting)).isTrue();
    }

    private static boolean refuted(TargetModel target, Decoder decoder) {
        var request = DecodeRequest.of(Toy.PROMPT, 4, Toy.PLAIN).withSource(SOURCE);
        var cells = SequenceCells.of(target, ProcessorChain.none(), request, 400);
        var joint = new JointDistribution(new BatchDecoder(decoder, 2), request, cells, 3);
        while (joint.samples() < 400) {
            joint.sample(() -> false);
        }
        return joint.test(1e-4).rejected();
    }

    private static boolean refutedByQuantiles(TargetModel target, Decoder decoder) {
        var quantiles = new TokenQuantiles(target, ProcessorChain.none(), new SplittableRandom(4));
        for (int number = 0; quantiles.tokens() < 600; number++) {
            var request =
                    new DecodeRequest(Toy.PROMPT, 20, Toy.PLAIN, List.of(), true)
                            .withSource(SOURCE);
            var trace = new Trace();
            var done = decoder.decode(request, randomness(number), trace, () -> false);
            quantiles.add(request, done.tokens(), trace);
        }
        return quantiles.byProbability(1e-4).rejected();
    }

    @Test
    void sourcesThatCannotBeReadAreRefusedBeforeAnythingIsOpened() {
        var reading = Optional.of(new SourceReading(4, List.of(0)));
        var target = new TableTarget(P, 64, Set.of(), reading);

        assertRefused(target, List.of(), ErrorCode.SOURCE_MISSING, "its encoder has to read one");
        assertRefused(
                target,
                List.of(0, 1, 2, 0, 1),
                ErrorCode.CONTEXT_EXCEEDED,
                "the source has 5 tokens, but the encoder of target 'table' reads at most 4");
        assertRefused(
                target,
                List.of(0, 3),
                ErrorCode.TOKEN_OUT_OF_RANGE,
                "token 3 at position 1 of the source");
        assertRefused(
                TableTarget.of(P),
                SOURCE,
                ErrorCode.SOURCE_UNEXPECTED,
                "there is a source of 3 tokens, but target 'table' is a decoder alone");
    }

    private static void assertRefused(
            TargetModel target, List<Integer> source, ErrorCode code, String words) {
        var unopened =
                new ForwardingTarget() {
                    @Override
                    public TargetModel target() {
                        return target;
                    }

                    @Override
                    public TargetSession open(SessionRequest request) {
                        throw new AssertionError("opened for " + source);
                    }
                };
        var decoder = Toy.decoder(unopened, CHAIN, new TokenRejectionRule());
        var request = DecodeRequest.of(Toy.PROMPT, 3, Toy.PLAIN).withSource(source);
        assertThatThrownBy(() -> decoder.decode(request, randomness(0)))
                .isInstanceOfSatisfying(
                        OutriderException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(words);
    }

    private static RandomnessSource randomness(int request) {
        return RandomnessSource.of(new KeyedRandomStreams(1, request));
    }

    private static Drafter reading(Drafter drafter, List<Integer> source) {
        return new WrappedDrafter(drafter, UnaryOperator.identity()) {
            @Override
            public DraftSession open(DraftRequest request) {
                return super.open(new DraftRequest(request.capacity(), request.policy(), source));
            }
        };
    }

    /// Sessions that read the source of the session opened before, if there was one.
    private record PreviousSource(List<List<Integer>> opened) implements ForwardingTarget {
        @Override
        public TargetModel target() {
            return TableTarget.reading(P);
        }

        @Override
        public TargetSession open(SessionRequest request) {
            opened.add(request.source());
            return target().open(
                            new SessionRequest(request.capacity(), Set.of(), previous(opened)));
        }
    }

    /// A drafter whose sessions do.
    private record PreviousSourceDrafter(Drafter drafter, List<List<Integer>> opened)
            implements ForwardingDrafter {
        @Override
        public DraftSession open(DraftRequest request) {
            opened.add(request.source());
            return drafter.open(
                    new DraftRequest(request.capacity(), request.policy(), previous(opened)));
        }
    }

    private static List<Integer> previous(List<List<Integer>> opened) {
        return opened.get(Math.max(0, opened.size() - 2));
    }

    /// Sessions that take another source for theirs after so many rounds.
    private record OtherSource(int rounds) implements ForwardingTarget {
        @Override
        public TargetModel target() {
            return TableTarget.reading(P);
        }

        @Override
        public TargetSession open(SessionRequest request) {
            var other = new SessionRequest(request.capacity(), Set.of(), OTHER);
            return new Forgetting(target().open(request), target().open(other), rounds);
        }

        @Override
        public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
            return requests.stream()
                    .map(request -> request.session().score(request.tree()))
                    .toList();
        }
    }

    private static final class Forgetting implements ForwardingTargetSession {
        private final TargetSession own;
        private final TargetSession other;
        private int rounds;

        Forgetting(TargetSession own, TargetSession other, int rounds) {
            this.own = own;
            this.other = other;
            this.rounds = rounds;
        }

        @Override
        public TargetSession session() {
            return own;
        }

        @Override
        public HiddenStates prefill(int[] tokens) {
            other.prefill(tokens).close();
            return own.prefill(tokens);
        }

        @Override
        public TargetScores score(TokenTree tree) {
            var scores = own.score(tree);
            var others = other.score(tree);
            return rounds > 0 ? scores : others;
        }

        @Override
        public void commit(Verdict verdict) {
            own.commit(verdict);
            other.commit(verdict);
            rounds--;
        }
    }
}
