package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.BatchDecoder.Item;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sequences of different prompts, lengths and luck, decoded together, are what each is alone.
class BatchDecoderTest {
    private static final int SEQUENCES = 7;

    private final TableTarget target =
            TableTarget.of(TableModel.random(5, DistributionStyle.DENSE, 1));
    private final TableModel guess = TableModel.random(5, DistributionStyle.DENSE, 2);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 20})
    void everySampledSequenceIsWhatItIsAlone(int width) {
        var decoder = decoder(new TreePlan.Chain(3), new BlockVerificationRule());
        assertEachIsItself(decoder, width, Toy.PLAIN);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 20})
    void everyGreedySequenceOfATreeIsWhatItIsAlone(int width) {
        var decoder = decoder(new TreePlan.LevelWidths(List.of(2, 2, 1)), new SampleAndMatchRule());
        assertEachIsItself(decoder, width, SamplingPolicy.argmax());
    }

    @Test
    void sequencesShareTheirPasses() {
        var requests = new ArrayList<Integer>();
        var counting =
                new ForwardingTarget() {
                    @Override
                    public TargetModel target() {
                        return target;
                    }

                    @Override
                    public List<TargetScores> scoreAll(List<ScoreRequest> batch) {
                        requests.add(batch.size());
                        return ForwardingTarget.super.scoreAll(batch);
                    }
                };
        var decoder = Decoder.plain(counting, new SampleAndMatchRule(), () -> 0);
        var done = new BatchDecoder(decoder, 3).decode(items(SamplingPolicy.argmax()), () -> false);

        assertThat(done).hasSize(SEQUENCES).allMatch(Optional::isPresent);
        int tokens = done.stream().mapToInt(each -> each.orElseThrow().tokens().length).sum();
        assertThat(requests.stream().mapToInt(Integer::intValue).sum()).isEqualTo(tokens);
        assertThat(requests.stream().filter(size -> size == 3).count())
                .describedAs("passes that were full, of %s", requests)
                .isGreaterThan(requests.size() / 2);
    }

    @Test
    void aRoundsTargetTimeIsItsShareOfThePass() {
        var nanos = new AtomicInteger();
        var slow =
                new ForwardingTarget() {
                    @Override
                    public TargetModel target() {
                        return target;
                    }

                    @Override
                    public List<TargetScores> scoreAll(List<ScoreRequest> batch) {
                        nanos.addAndGet(120);
                        return ForwardingTarget.super.scoreAll(batch);
                    }
                };
        var times = new ArrayList<Long>();
        DecodeListener listener =
                event -> {
                    if (event instanceof RoundCompleted round) {
                        times.add(round.times().score());
                    }
                };
        var decoder = Decoder.plain(slow, new SampleAndMatchRule(), nanos::get);
        var request = DecodeRequest.of(Toy.PROMPT, 2, SamplingPolicy.argmax());
        var item = new Item(request, randomness(0), listener);
        var unused = new BatchDecoder(decoder, 3).decode(List.of(item, item, item), () -> false);

        assertThat(times).containsOnly(40L).hasSize(6);
    }

    @Test
    void cancellingEndsThoseBegunAndBeginsNoOthers() {
        var asked = new AtomicInteger();
        var items = items(Toy.PLAIN).subList(1, SEQUENCES);
        var done =
                new BatchDecoder(decoder(new TreePlan.Chain(2), new SampleAndMatchRule()), 2)
                        .decode(items, () -> asked.incrementAndGet() > 2);

        assertThat(done).hasSize(items.size());
        assertThat(done.subList(0, 2))
                .allMatch(each -> each.orElseThrow().reason() == FinishReason.CANCELLED);
        assertThat(done.subList(2, items.size())).allMatch(Optional::isEmpty);
    }

    @Test
    void aBadPromptEndsTheBatchAndClosesAllSessions() {
        var watched = new WatchedTarget(target);
        var decoder = Decoder.plain(watched, new SampleAndMatchRule(), () -> 0);
        var items = new ArrayList<>(items(SamplingPolicy.argmax()));
        items.add(
                1,
                new Item(
                        DecodeRequest.of(new int[] {99}, 3, SamplingPolicy.argmax()),
                        randomness(9),
                        DecodeListener.none()));

        assertThatThrownBy(() -> new BatchDecoder(decoder, 2).decode(items, () -> false))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("token 99");
        assertThat(watched.open()).hasValue(0);
    }

    @Test
    void aSequenceThatIsOverClosesItsSessionBeforeTheNextOneOpens() {
        var watched = new WatchedTarget(target);
        var decoder = Decoder.plain(watched, new SampleAndMatchRule(), () -> 0);
        var done = new BatchDecoder(decoder, 2).decode(items(Toy.PLAIN), () -> false);

        assertThat(BatchDecoder.complete(done)).isTrue();
        assertThat(watched.mostAtOnce()).hasValue(2);
    }

    @Test
    void aBatchIsCompleteIfEverySequenceEndedByItself() {
        var decoder = decoder(new TreePlan.Chain(2), new SampleAndMatchRule());
        var whole = new BatchDecoder(decoder, 3).decode(items(Toy.PLAIN), () -> false);
        var cancelled = new BatchDecoder(decoder, SEQUENCES).decode(items(Toy.PLAIN), endless());

        assertThat(BatchDecoder.complete(whole)).isTrue();
        assertThat(BatchDecoder.complete(cancelled)).isFalse();
        assertThat(BatchDecoder.complete(List.of(whole.getFirst(), Optional.empty()))).isFalse();
    }

    @Test
    void aSessionThatFailsToCloseKeepsNoOtherOpen() {
        var closed = new AtomicInteger();

        assertThatThrownBy(() ->
                        closing(() -> {
                            throw new IllegalStateException(
                                    "session %d does not close"
                                            .formatted(closed.incrementAndGet()));
                        }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("session 1 does not close")
                .satisfies(first ->
                        assertThat(first.getSuppressed())
                                .extracting(Throwable::getMessage)
                                .containsExactly(
                                        "session 2 does not close", "session 3 does not close"));
    }

    @Test
    void aFailureOfSeveralSessionsIsThrownOnce() {
        var failure = new IllegalStateException("bug");

        assertThatThrownBy(() ->
                        closing(() -> {
                            throw failure;
                        }))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();
    }

    /// Decodes three sequences together whose sessions do something more when they close.
    private void closing(Runnable also) {
        var failing =
                new ForwardingTarget() {
                    @Override
                    public TargetModel target() {
                        return target;
                    }

                    @Override
                    public TargetSession open(SessionRequest request) {
                        return new Closing(ForwardingTarget.super.open(request), also);
                    }
                };
        var decoder = Decoder.plain(failing, new SampleAndMatchRule(), () -> 0);
        var items = items(SamplingPolicy.argmax()).subList(0, 3);
        var unused = new BatchDecoder(decoder, 3).decode(items, endless());
    }

    /// Goes on for a round, in which no sequence ends.
    private static BooleanSupplier endless() {
        var asked = new AtomicInteger();
        return () -> asked.incrementAndGet() > 2;
    }

    @Test
    void aBatchHoldsAtLeastOneSequence() {
        var decoder = decoder(new TreePlan.Chain(2), new SampleAndMatchRule());

        assertThatThrownBy(() -> new BatchDecoder(decoder, 0))
                .hasMessage("width 0 is not positive");
    }

    private void assertEachIsItself(Decoder decoder, int width, SamplingPolicy policy) {
        var items = items(policy);
        var together = new BatchDecoder(decoder, width).decode(items, () -> false);
        for (int index = 0; index < items.size(); index++) {
            var item = items.get(index);
            var alone = decoder.decode(item.request(), item.randomness());
            var batched = together.get(index).orElseThrow();
            assertThat(batched.tokens()).containsExactly(alone.tokens());
            assertThat(batched.rounds()).isEqualTo(alone.rounds());
        }
    }

    private static List<Item> items(SamplingPolicy policy) {
        var items = new ArrayList<Item>();
        for (int index = 0; index < SEQUENCES; index++) {
            int[] prompt = new int[1 + index % 3];
            Arrays.fill(prompt, index % 5);
            items.add(
                    new Item(
                            DecodeRequest.of(prompt, 3 + 5 * (index % 4), policy),
                            randomness(index),
                            DecodeListener.none()));
        }
        return items;
    }

    private static RandomnessSource randomness(int request) {
        return RandomnessSource.of(new KeyedRandomStreams(1, request));
    }

    private Decoder decoder(TreePlan plan, AcceptanceRule rule) {
        return new Decoder(
                target,
                Optional.of(new TableDrafter(guess, plan, Toy.PLAIN)),
                rule,
                new FixedLength(9),
                true,
                () -> 0);
    }

    private record Closing(TargetSession session, Runnable also)
            implements ForwardingTargetSession {
        @Override
        public void close() {
            session.close();
            also.run();
        }
    }
}
