package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.CopiedStates;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.SamplingOperators.Mirostat;
import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.DraftSession.TimedDrafting;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What one sequence tells its drafter, its rule and its listener.
class DecodedSequenceTest {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();
    private static final int[] PROMPT = {3, 1, 4, 1, 5};
    private static final TableTarget TARGET = TableTarget.of(Toy.counting(8));
    private static final RandomnessSource RANDOMNESS =
            RandomnessSource.of(new KeyedRandomStreams(1, 1));
    private static final Drafter CHAIN =
            new TableDrafter(TARGET.model(), new TreePlan.Chain(2), Toy.PLAIN);

    private final List<MemorySegment> read = new ArrayList<>();
    private final List<RoundCompleted> rounds = new ArrayList<>();
    private final List<String> pieces = new ArrayList<>();
    private final DecodeListener listener = new Listener(true);

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, true", "20, false", "20, true"})
    void theDrafterReadsTheStatesOfTheWholePrompt(int most, boolean scored) {
        var values = new ArrayList<Float>();
        var drafter =
                reading(states -> {
                    for (int index = 0; index < states.size(); index++) {
                        values.add(states.hidden(LAST, index).get(ValueLayout.JAVA_FLOAT, 0));
                    }
                });
        try (var running = features(drafter).open(request(PROMPT, 4), RANDOMNESS, listener)) {
            while (!running.prefill(most, scored ? Optional.of((_, _) -> {}) : Optional.empty())) {
                assertThat(values).isEmpty();
            }
        }
        assertThat(values).containsExactly(3f, 1f, 4f, 1f);
    }

    @Test
    void copiesOfStatesAreFreedWhenTheDrafterHasReadThem() {
        var drafter = reading(states -> read.add(states.hidden(LAST, 0)));
        try (var running = features(drafter).open(request(PROMPT, 4), RANDOMNESS, listener)) {
            while (!running.prefill(2, Optional.empty())) {
                assertThat(read).isEmpty();
            }
            assertThatThrownBy(() -> read.getFirst().get(ValueLayout.JAVA_FLOAT, 0))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void statesOfAPromptThatIsReadAtOnceAreNotCopied() {
        var seen = new ArrayList<HiddenStates>();
        try (var running =
                features(reading(seen::add)).open(request(PROMPT, 4), RANDOMNESS, listener)) {
            running.prefill();
        }
        assertThat(seen).hasSize(1).noneMatch(states -> states instanceof CopiedStates);
    }

    @Test
    void aFailureAtThePromptsRowsClosesTheirScores() {
        var watched = new WatchedTarget(TARGET);
        var decoder = Toy.decoder(watched, CHAIN, new TokenRejectionRule());
        try (var running = decoder.open(request(PROMPT, 4), RANDOMNESS, listener)) {
            assertThatThrownBy(() ->
                            running.prefill(
                                    2,
                                    Optional.of((_, _) ->
                                            GuardedDecoding.fail(
                                                    new IllegalStateException("bug")))))
                    .hasMessage("bug");
            assertThatThrownBy(() -> watched.scores().getFirst().logits(0))
                    .hasMessage("these scores are closed");
        }
        assertThat(watched.open()).hasValue(0);
    }

    @Test
    void aDrafterThatDoesNotOpenLeavesNoSessionOpen() {
        var watched = new WatchedTarget(TARGET);
        var failing =
                GuardedDecoding.failing(
                        CHAIN,
                        GuardedDecoding.At.OPEN,
                        () -> GuardedDecoding.fail(new IllegalStateException("bug")));

        assertThatThrownBy(() ->
                        Toy.decoder(watched, failing, new TokenRejectionRule())
                                .decode(request(PROMPT, 4), RANDOMNESS))
                .hasMessageContaining("failed in open of round 0");
        assertThat(watched.mostAtOnce()).hasValue(1);
        assertThat(watched.open()).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"'', '', ''", "short, '', short", "'', best, best", "short, best, short; best"})
    void aRoundTellsWhyItsDraftIsThatLongAndThatGood(String length, String choice, String both) {
        var policy =
                new DraftLengthPolicy() {
                    @Override
                    public int next() {
                        return 1;
                    }

                    @Override
                    public String reason() {
                        return length;
                    }
                };
        var drafter =
                FaultyDrafters.spoiling(
                        CHAIN,
                        (_, draft, _) -> new Draft(draft.tree(), draft.selection(), "", choice));
        decode(
                Toy.decoder(TARGET, drafter, new TokenRejectionRule())
                        .withDrafting(Optional.of(drafter), () -> policy),
                request(PROMPT, 4));

        assertThat(rounds).hasSize(2).allMatch(round -> round.reason().equals(both));
    }

    @Test
    void aTimedDrafterHearsTheTimeOfEveryRoundButTheLast() {
        var told = new ArrayList<Long>();
        var clock = new long[1];
        var decoder =
                new Decoder(
                        TARGET,
                        Optional.of(new WrappedDrafter(CHAIN, each -> new Timed(each, told))),
                        new TokenRejectionRule(),
                        FixedLength.drafterLimit(),
                        false,
                        () -> clock[0] += 1 + clock[0] % 3);
        decode(decoder, request(PROMPT, 9));

        assertThat(rounds).hasSize(3);
        assertThat(told)
                .containsExactly(rounds.get(0).times().total(), rounds.get(1).times().total());
    }

    @Test
    void aPairingThatIsNotExactMayBringAnySelection() {
        var plan = new TreePlan.SampledWithoutReplacement(List.of(2, 1));
        var drafter = new TableDrafter(TARGET.model(), plan, Toy.PLAIN);

        assertThat(
                        decode(
                                        Toy.decoder(TARGET, drafter, new KSequentialRule()),
                                        new DecodeRequest(PROMPT, 4, Toy.PLAIN, List.of(), false))
                                .tokens())
                .containsExactly(6, 7, 0, 1);
    }

    /// The tokens have a surprise of 1, 1.8 and 2.3 bits. The limit is 2 bits at first, then 2.3 or 1.6.
    @Test
    void theStateOfTheOperatorsMovesFromRoundToRound() {
        var target = TableTarget.of(TableModel.constant(.5, .29, .21));
        var seen = new ArrayList<double[]>();
        var decoder =
                Decoder.plain(target, new Recording(new TokenRejectionRule(), seen), () -> 0)
                        .withProcessors(operators(3, new Mirostat(1, 1)));
        int first =
                decode(decoder, new DecodeRequest(Toy.PROMPT, 2, Toy.PLAIN, List.of(), false))
                        .tokens()[0];

        assertThat(seen.stream().map(each -> Support.of(each).size()))
                .containsExactly(2, first == 0 ? 3 : 1);
    }

    @Test
    void theDrafterIsToldTheOperatorsIfThereAreAny() {
        var offered = new ArrayList<Optional<OperatorChain>>();
        var asking =
                new WrappedDrafter(CHAIN, session -> session) {
                    @Override
                    public DraftSession open(DraftRequest request) {
                        offered.add(request.target().capability(OperatorChain.class));
                        return super.open(request);
                    }
                };
        var decoder = Toy.decoder(TARGET, asking, new TokenRejectionRule());
        var processors = operators(8, new Mirostat(1, 1));
        decode(decoder, request(PROMPT, 4));
        decode(decoder.withProcessors(processors), request(PROMPT, 4));

        assertThat(offered).containsExactly(Optional.empty(), Optional.of(processors.operators()));
    }

    @Test
    void theCacheHoldsTheSequenceAndAWholeDraft() {
        var decoder = Toy.decoder(TARGET, CHAIN, new TokenRejectionRule());

        assertThat(decoder.capacity(9)).isEqualTo(9 + 2);
        assertThat(decoder.capacity(256)).isEqualTo(TARGET.maxPositions());
        assertThat(decoder.withDrafting(Optional.empty(), new FixedLength(0)).capacity(9))
                .isEqualTo(9);
    }

    @Test
    void aListenerThatWantsNoTextGetsNone() {
        var decoder = Toy.decoder(TARGET, CHAIN, new TokenRejectionRule());
        var generation =
                decoder.decode(request(PROMPT, 3), RANDOMNESS, new Listener(false), () -> false);

        assertThat(generation.text()).isEqualTo("gha");
        assertThat(pieces).isEmpty();
    }

    @Test
    void textHeldBackBeforeAStopStringIsPassedOn() {
        var stopped = request(PROMPT, 9, false, "hax", "ab");

        assertThat(decode(TARGET, stopped).text()).isEqualTo("gh");
        assertThat(pieces).containsExactly("g", "h");
    }

    @ParameterizedTest
    @CsvSource({"true, ' seas'", "false, seas"})
    void onlyATextThatGoesOnAfterThePromptKeepsItsSpace(boolean continues, String text) {
        assertThat(decode(words(), request(new int[] {0}, 2, continues)).text()).isEqualTo(text);
    }

    @Test
    void halfACharacterAtTheEndIsWrittenAndMayBeAStopString() {
        var prompt = new int[] {0};
        var written = decode(words(), request(prompt, 3, false, "stop"));
        assertThat(written.text()).isEqualTo("seas\uFFFD");
        assertThat(written.reason()).isEqualTo(FinishReason.MAX_TOKENS);

        var stopped = decode(words(), request(prompt, 3, false, "\uFFFD"));
        assertThat(stopped.text()).isEqualTo("seas");
        assertThat(stopped.reason()).isEqualTo(FinishReason.STOP_STRING);
    }

    private static TargetModel words() {
        return new ForwardingTarget() {
            @Override
            public TargetModel target() {
                return TableTarget.of(Toy.counting(6));
            }

            @Override
            public Tokenizer tokenizer() {
                return new WordPieces();
            }
        };
    }

    private static DecodeRequest request(int[] prompt, int maxTokens) {
        return request(prompt, maxTokens, false);
    }

    private static DecodeRequest request(
            int[] prompt, int maxTokens, boolean continues, String... stop) {
        return new DecodeRequest(
                prompt,
                maxTokens,
                SamplingPolicy.argmax(),
                List.of(stop),
                false,
                List.of(),
                continues);
    }

    private Generation decode(TargetModel target, DecodeRequest request) {
        return decode(Decoder.plain(target, new TokenRejectionRule(), () -> 0), request);
    }

    private Generation decode(Decoder decoder, DecodeRequest request) {
        return decoder.decode(request, RANDOMNESS, listener, () -> false);
    }

    private static ProcessorChain operators(int vocabulary, Mirostat mirostat) {
        var settings = OperatorSettings.of("mirostat", Optional.of(mirostat));
        return new ProcessorChain(
                List.of(), false, OperatorChain.of(settings, vocabulary, Set.of()));
    }

    private static Decoder features(Drafter drafter) {
        return Toy.decoder(new TokenFeatures(TARGET, 1), drafter, new TokenRejectionRule());
    }

    /// Returns a drafter that reads the last hidden states of the prompt.
    private static Drafter reading(Consumer<HiddenStates> reader) {
        return new WrappedDrafter(
                CHAIN,
                session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public void begin(int[] prompt, HiddenStates promptStates) {
                                reader.accept(promptStates);
                                super.begin(prompt, promptStates);
                            }
                        }) {
            @Override
            public Set<HiddenState> hiddenStates() {
                return Set.of(LAST);
            }
        };
    }

    private static final class Timed extends WrappedDrafter.Session implements TimedDrafting {
        private final List<Long> told;

        Timed(DraftSession session, List<Long> told) {
            super(session);
            this.told = told;
        }

        @Override
        public void onRoundTime(long nanos) {
            told.add(nanos);
        }
    }

    /// Keeps the target's distribution at the root of every round.
    private record Recording(AcceptanceRule rule, List<double[]> seen) implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return rule.traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            seen.add(target.distribution(0).clone());
            return rule.decide(draft, target, randomness);
        }
    }

    private final class Listener implements DecodeListener {
        private final boolean wantsText;

        Listener(boolean wantsText) {
            this.wantsText = wantsText;
        }

        @Override
        public void onEvent(DecodeEvent event) {
            if (event instanceof RoundCompleted round) {
                rounds.add(round);
            }
        }

        @Override
        public void onText(String text) {
            pieces.add(text);
        }

        @Override
        public boolean wantsText() {
            return wantsText;
        }
    }
}
