package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.Finished;
import dev.outrider.spi.run.DecodeEvent.Prefilled;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecoderTest {
    private static final SamplingPolicy ARGMAX = SamplingPolicy.argmax();
    private static final RandomnessSource RANDOMNESS =
            RandomnessSource.of(new KeyedRandomStreams(1, 1));

    /// Counts up modulo 8: a, b, c, ...
    private static final TableModel COUNTING = Toy.counting(8);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 20})
    void aPerfectDrafterEmitsTheSameTokensInFewerRounds(int length) {
        var generation = decode(counting(length), DecodeRequest.of(new int[] {0}, 12, ARGMAX));

        assertThat(generation.tokens()).containsExactly(1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4);
        assertThat(generation.text()).isEqualTo("bcdefghabcde");
        assertThat(generation.reason()).isEqualTo(FinishReason.MAX_TOKENS);
        assertThat(generation.rounds()).isEqualTo((12 + length) / (length + 1));
    }

    @Test
    void greedyOutputEqualsPlainDecodingForEveryPlanAndPrompt() {
        var target = TableTarget.of(TableModel.random(5, DistributionStyle.DENSE, 1));
        var draft = TableModel.random(5, DistributionStyle.DENSE, 2);
        var plans =
                List.of(
                        new TreePlan.Chain(1),
                        new TreePlan.Chain(4),
                        new TreePlan.LevelWidths(List.of(3, 2, 1)),
                        new TreePlan.SampledWithReplacement(List.of(2, 2)),
                        new TreePlan.SampledWithoutReplacement(List.of(5, 1)));
        for (int prompt = 0; prompt < 25; prompt++) {
            var request = DecodeRequest.of(new int[] {prompt / 5, prompt % 5}, 20, ARGMAX);
            int[] plain =
                    Decoder.plain(target, new SampleAndMatchRule(), () -> 0)
                            .decode(request, RANDOMNESS)
                            .tokens();
            for (var plan : plans) {
                var drafter = new TableDrafter(draft, plan, Toy.PLAIN);
                assertThat(checked(target, drafter, 9).decode(request, RANDOMNESS).tokens())
                        .describedAs("%s after prompt %d", plan, prompt)
                        .containsExactly(plain);
            }
        }
    }

    @Test
    void aSeedRepeatsASampledRun() {
        var decoder =
                checked(
                        TableTarget.of(TableModel.random(5, DistributionStyle.DENSE, 1)),
                        new TableDrafter(
                                TableModel.random(5, DistributionStyle.DENSE, 2),
                                new TreePlan.Chain(3),
                                Toy.PLAIN),
                        3);
        var request = DecodeRequest.of(Toy.PROMPT, 30, Toy.PLAIN);

        assertThat(decoder.decode(request, RANDOMNESS).tokens())
                .containsExactly(decoder.decode(request, RANDOMNESS).tokens())
                .isNotEqualTo(
                        decoder.decode(request, RandomnessSource.of(new KeyedRandomStreams(2, 1)))
                                .tokens());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 10})
    void anEndTokenInsideADraftCutsWhatFollows(int length) {
        var target = new TableTarget(COUNTING, 64, Set.of(4));
        var generation =
                decode(
                        checked(target, drafter(20), length),
                        DecodeRequest.of(new int[] {0}, 40, ARGMAX));

        assertThat(generation.tokens()).containsExactly(1, 2, 3, 4);
        assertThat(generation.reason()).isEqualTo(FinishReason.END_OF_SEQUENCE);
    }

    @Test
    void anEndTokenCanBeIgnored() {
        var target = new TableTarget(COUNTING, 64, Set.of(4));
        var request = new DecodeRequest(new int[] {0}, 6, ARGMAX, List.of(), true);

        assertThat(decode(checked(target, drafter(20), 3), request).tokens()).hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 10})
    void aStopStringCutsTheTextBeforeItAndTheTokensAfterIt(int length) {
        var request = new DecodeRequest(new int[] {0}, 40, ARGMAX, List.of("xx", "efg"), false);
        var generation = decode(counting(length), request);

        assertThat(generation.text()).isEqualTo("bcd");
        assertThat(generation.tokens()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(generation.reason()).isEqualTo(FinishReason.STOP_STRING);
    }

    @Test
    void streamedTextHoldsBackWhatMayBecomeAStopString() {
        var pieces = new ArrayList<String>();
        var request = new DecodeRequest(new int[] {0}, 9, ARGMAX, List.of("dex", "gha!"), false);
        var generation = counting(0).decode(request, RANDOMNESS, texts(pieces), () -> false);

        assertThat(pieces).containsExactly("b", "c", "def", "ghab");
        assertThat(String.join("", pieces)).isEqualTo(generation.text());
    }

    @Test
    void theLastPositionOfTheContextIsWritten() {
        var target = new TableTarget(COUNTING, 10, Set.of());
        var generation =
                decode(
                        checked(target, drafter(20), 4),
                        DecodeRequest.of(new int[] {0, 1, 2}, 7, ARGMAX));

        assertThat(generation.tokens()).hasSize(7);
        assertThat(generation.reason()).isEqualTo(FinishReason.MAX_TOKENS);
    }

    @Test
    void aSequenceThatWouldBeCutShortIsRefused() {
        var target = new TableTarget(COUNTING, 10, Set.of());

        assertThatThrownBy(() ->
                        decode(
                                checked(target, drafter(20), 4),
                                DecodeRequest.of(new int[] {0, 1, 2}, 8, ARGMAX)))
                .hasMessage(
                        "CONTEXT_EXCEEDED: a prompt of length 3 and maxTokens 8 need 11 positions, but target 'table' has 10\n  Set maxTokens to at most 7, shorten the prompt, or choose a target with a longer context.");
        assertThatThrownBy(() ->
                        decode(
                                checked(target, drafter(20), 4),
                                DecodeRequest.of(new int[9], 2, ARGMAX)))
                .hasMessageContaining("Set maxTokens to at most 1, shorten the prompt");
    }

    @Test
    void treesShrinkToTheRoomLeftInTheContext() {
        var target = new TableTarget(COUNTING, 8, Set.of());
        var wide =
                new TableDrafter(
                        COUNTING, new TreePlan.SampledWithReplacement(List.of(4, 4)), Toy.PLAIN);

        assertThat(
                        decode(
                                        checked(target, wide, 9),
                                        DecodeRequest.of(new int[] {0, 1}, 6, ARGMAX))
                                .tokens())
                .containsExactly(2, 3, 4, 5, 6, 7);
    }

    @Test
    void cancellationKeepsWhatWasEmitted() {
        var rounds = new ArrayList<DecodeEvent>();
        var generation =
                counting(2)
                        .decode(
                                DecodeRequest.of(new int[] {0}, 40, ARGMAX),
                                RANDOMNESS,
                                rounds::add,
                                () -> rounds.size() >= 3);

        assertThat(generation.reason()).isEqualTo(FinishReason.CANCELLED);
        assertThat(generation.tokens()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(generation.rounds()).isEqualTo(2);
    }

    @Test
    void eventsTellEveryRoundAndItsTimes() {
        var events = new ArrayList<DecodeEvent>();
        var clock = new long[1];
        var decoder =
                new Decoder(
                        TableTarget.of(COUNTING),
                        Optional.of(drafter(20)),
                        new TokenRejectionRule(),
                        new FixedLength(2),
                        true,
                        () -> clock[0]++);
        decoder.decode(
                DecodeRequest.of(new int[] {0, 1}, 5, ARGMAX),
                RANDOMNESS,
                events::add,
                () -> false);

        assertThat(events).hasSize(4);
        assertThat(events.get(0)).isEqualTo(new Prefilled(2, 1, 1));
        assertThat(events.get(3)).isEqualTo(new Finished(FinishReason.MAX_TOKENS, 5));
        var first = (RoundCompleted) events.get(1);
        var second = (RoundCompleted) events.get(2);
        assertThat(first.draft().tree().tokens()).containsExactly(1, 2, 3);
        assertThat(first.verdict().acceptedLength()).isEqualTo(2);
        assertThat(first.emitted()).isEqualTo(3);
        assertThat(first.times().total()).isEqualTo(7);
        assertThat(second.draft().tree().tokens())
                .describedAs("the draft is no longer than what may still be emitted")
                .containsExactly(4, 5);
        assertThat(second.emitted()).isEqualTo(2);
        assertThat(second.times().commit()).isZero();
    }

    @Test
    void badPromptsAreRefused() {
        assertThatThrownBy(() -> decode(counting(1), DecodeRequest.of(new int[0], 1, ARGMAX)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "PROMPT_EMPTY: the prompt has no tokens, expected at least one\n  Write a prompt, or start it with the beginning-of-sequence token.");
        assertThatThrownBy(() -> decode(counting(1), DecodeRequest.of(new int[] {-1}, 1, ARGMAX)))
                .hasMessageStartingWith("TOKEN_OUT_OF_RANGE: token -1 at position 0 of the prompt");
        assertThatThrownBy(() -> decode(counting(1), DecodeRequest.of(new int[] {0, 8}, 1, ARGMAX)))
                .hasMessage(
                        "TOKEN_OUT_OF_RANGE: token 8 at position 1 of the prompt is outside the vocabulary of target 'table', expected 0 to 7\n  Encode the prompt with the target's own tokenizer.");
        var small = new TableTarget(COUNTING, 3, Set.of());
        assertThatThrownBy(() ->
                        decode(
                                checked(small, drafter(1), 1),
                                DecodeRequest.of(new int[3], 1, ARGMAX)))
                .hasMessage(
                        "CONTEXT_EXCEEDED: a prompt of length 3 and maxTokens 1 need 4 positions, but target 'table' has 3\n  Shorten the prompt, or choose a target with a longer context.");
    }

    @Test
    void impossibleRequestsAreRefused() {
        assertThatThrownBy(() -> DecodeRequest.of(new int[] {0}, 0, ARGMAX))
                .hasMessage("maxTokens 0 is not positive");
        assertThatThrownBy(() -> new DecodeRequest(new int[] {0}, 1, ARGMAX, List.of(""), false))
                .hasMessage("a stop string must not be empty");
    }

    private static DecodeListener texts(List<String> pieces) {
        return new DecodeListener() {
            @Override
            public void onEvent(DecodeEvent event) {}

            @Override
            public void onText(String text) {
                pieces.add(text);
            }

            @Override
            public boolean wantsText() {
                return true;
            }
        };
    }

    private static Generation decode(Decoder decoder, DecodeRequest request) {
        return decoder.decode(request, RANDOMNESS);
    }

    private static Decoder counting(int length) {
        return checked(TableTarget.of(COUNTING), drafter(20), length);
    }

    private static TableDrafter drafter(int most) {
        return new TableDrafter(COUNTING, new TreePlan.Chain(most), Toy.PLAIN);
    }

    private static Decoder checked(TableTarget target, TableDrafter drafter, int length) {
        return new Decoder(
                target,
                Optional.of(drafter),
                new TokenRejectionRule(),
                new FixedLength(length),
                true,
                () -> 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 20})
    void aPromptReadInPartsSaysWhatCouldBeAtEachOfItsPlaces(int most) {
        var prompt = new int[] {3, 1, 4, 1, 5};
        var request = new DecodeRequest(prompt, 4, ARGMAX, List.of(), false, List.of(), true);
        var rows = new ArrayList<Integer>();
        try (var running =
                checked(new TableTarget(COUNTING, 64, Set.of()), drafter(20), 3)
                        .open(request, RANDOMNESS, _ -> {})) {
            int calls = 1;
            while (!running.prefill(
                    most,
                    Optional.of((index, logits) -> {
                        assertThat(index).isEqualTo(rows.size() + 1);
                        rows.add(largest(logits));
                    }))) {
                assertThat(running.unread()).isEqualTo(prompt.length - 1 - calls * most);
                calls++;
            }
            assertThat(calls).isEqualTo(Math.ceilDiv(prompt.length - 1, most));
            assertThat(running.unread()).isZero();
            assertThat(running.finish(FinishReason.MAX_TOKENS).tokens()).isEmpty();
        }
        assertThat(rows).containsExactly(4, 2, 5, 2);
    }

    private static int largest(MemorySegment logits) {
        return IntStream.range(0, 8)
                .boxed()
                .max(
                        Comparator.comparing(
                                token -> logits.getAtIndex(ValueLayout.JAVA_FLOAT, token)))
                .orElseThrow();
    }

    @Test
    void aTextThatGoesOnAfterThePromptIsTheSameWhereNothingIsDropped() {
        var request =
                new DecodeRequest(new int[] {0, 1}, 3, ARGMAX, List.of(), false, List.of(), true);
        assertThat(decode(counting(2), request).text()).isEqualTo("cde");
    }
}
