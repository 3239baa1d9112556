package dev.outrider.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.LenienceRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.processing.TokenPenalties;
import dev.outrider.serving.Completion.Reason;
import dev.outrider.serving.ServedRound.Origin;
import dev.outrider.serving.ServingRequest.Ending;
import dev.outrider.serving.ServingRequest.Sampling;
import dev.outrider.serving.ServingRequest.Scores;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.WrappedDrafter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the loop of the engine, pass by pass, over a table.
class ServingEngineTest {
    private static final SamplingPolicy SAMPLED = SamplingPolicy.atTemperature(1);
    private static final Ending LONG = new Ending(200, List.of(), true);

    private final GatedTarget target = new GatedTarget();
    private final AtomicLong now = new AtomicLong(1);
    private final Drafter guesses =
            new TableDrafter(
                    TableModel.random(5, DistributionStyle.DENSE, 2),
                    new TreePlan.Chain(3),
                    SAMPLED);
    private final ServedVariant plain =
            ServedVariant.plain(target, ProcessorChain.none(), now::get);
    private final ServedVariant chain = variant("chain", guesses);
    private Optional<ServingEngine> started = Optional.empty();

    @AfterEach
    void close() {
        target.openGate();
        started.ifPresent(ServingEngine::close);
        assertThat(target.open).hasValue(0);
    }

    private ServedVariant variant(String name, Drafter drafter) {
        var decoder =
                new Decoder(
                        target,
                        Optional.of(drafter),
                        new SampleAndMatchRule(),
                        FixedLength.drafterLimit(),
                        true,
                        now::get,
                        OnFailure.STOP,
                        ProcessorChain.none());
        return new ServedVariant(name, decoder, Optional.empty(), LossyPairings.inFile(false));
    }

    private ServingEngine start(ServingLimits limits) {
        var engine = ServingEngine.start(target, List.of(plain, chain), limits, now::get);
        started = Optional.of(engine);
        return engine;
    }

    private ServingEngine start(int sequences, int queued) {
        return start(
                new ServingLimits(
                        sequences, queued, Long.MAX_VALUE, ServingLimits.PREFILL_ROWS, true));
    }

    private static Ticket submit(ServingEngine engine, Request request) {
        return Request.submit(engine, request, new ServingListener() {});
    }

    private Request endless() {
        return Request.of(plain, Crowd.prompt(1, 2), 1).withEnding(LONG);
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void cancelledRequestsFreeTheirSessionsAndKeepWhatTheyWrote() {
        var engine = start(2, 3);
        var tickets = IntStream.range(0, 5).mapToObj(_ -> submit(engine, endless())).toList();
        target.letThrough(3);
        until(() -> target.passes.size() == 3);
        assertThat(target.open).hasValue(2);
        tickets.forEach(Ticket::cancel);
        target.letThrough(2);
        var ends = tickets.stream().map(Crowd::await).toList();

        assertThat(ends).allMatch(each -> each.reason() == Reason.CANCELLED);
        assertThat(ends.getFirst().tokens()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(ends.get(1).tokens()).isNotEmpty();
        assertThat(ends.subList(2, 5)).allMatch(each -> each.tokens().isEmpty());
        assertThat(target.open).hasValue(0);
        assertThat(engine.counters().finished()).containsEntry(Reason.CANCELLED, 5L);
        assertThat(engine.counters().running()).isZero();
        assertThat(engine.counters().cacheBytes()).isZero();
    }

    @Test
    void aFullQueueRefusesAndSaysWhenToComeAgain() {
        var engine = start(1, 1);
        submit(engine, endless());
        submit(engine, endless());
        assertThatThrownBy(() -> submit(engine, endless()))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL))
                .hasMessageContaining("1 requests wait and 1 are served")
                .hasMessageContaining("in 1 s");
        var counters = engine.counters();
        assertThat(counters.refused()).isEqualTo(1);
        assertThat(counters.waiting() + counters.running()).isEqualTo(2);
    }

    /// The engine admits a whole group of texts at once, or refuses the group before any of its texts starts.
    @Test
    void aGroupIsTakenWholeOrNotAtAll() {
        var engine = start(1, 1);
        var request = Request.of(chain, Crowd.prompt(1), 9);
        var group = Collections.nCopies(3, request);
        var first = submit(engine, endless());
        until(() -> target.open.get() == 1);
        var taken = Request.submit(engine, group, _ -> new ServingListener() {});
        assertThatThrownBy(() -> Request.submit(engine, group, _ -> new ServingListener() {}))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL));
        assertThat(engine.counters().waiting()).isEqualTo(3);
        var tooLong = List.of(request, Request.of(plain, Crowd.prompt(1), 400));
        assertThatThrownBy(() -> Request.submit(engine, tooLong, _ -> new ServingListener() {}))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONTEXT_EXCEEDED));
        assertThat(engine.counters().waiting()).isEqualTo(3);

        first.cancel();
        target.openGate();
        engine.close(Duration.ofSeconds(30));

        assertThat(taken)
                .hasSize(3)
                .allMatch(each -> each.completion().join().reason() == Reason.MAX_TOKENS);
        assertThatThrownBy(() -> Request.submit(engine, group, _ -> new ServingListener() {}))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_CLOSED));
        assertThat(target.capacities).hasSize(4);
    }

    @Test
    void theEstimateFollowsTheTimeOfRequests() {
        var engine = start(1, 1);
        var first = submit(engine, endless());
        until(() -> target.open.get() == 1);
        now.addAndGet(Duration.ofSeconds(7).toNanos());
        first.cancel();
        target.letThrough(2);
        var _ = Crowd.await(first);
        assertThat(engine.retryAfter()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void aDeadlineEndsWhatIsWrittenAndWhatWaits() {
        var engine = start(1, 1);
        var within = Duration.ofSeconds(5);
        var running = submit(engine, endless().withDeadline(within));
        var waiting = submit(engine, endless().withDeadline(within));
        target.letThrough(2);
        until(() -> target.passes.size() == 2);
        now.addAndGet(within.toNanos());
        target.letThrough(1);

        assertThat(Crowd.await(running).reason()).isEqualTo(Reason.DEADLINE);
        assertThat(Crowd.await(running).tokens()).hasSizeBetween(2, 3);
        assertThat(Crowd.await(waiting).reason()).isEqualTo(Reason.DEADLINE);
        assertThat(Crowd.await(waiting).usage().queuedNanos()).isEqualTo(within.toNanos());
    }

    @Test
    void aDeadlineBeyondAllTimeIsNone() {
        var engine = start(1, 1);
        target.openGate();
        var request =
                Request.of(plain, Crowd.prompt(1), 2)
                        .withDeadline(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(Crowd.await(submit(engine, request)).reason()).isEqualTo(Reason.MAX_TOKENS);
    }

    @Test
    void aFailingDrafterFailsItsRequestAlone() {
        var engine = start(3, 3);
        var failing = variant("failing", new WrappedDrafter(guesses, Failing::new));
        var others =
                List.of(
                        Request.of(chain, Crowd.prompt(1, 2), 12),
                        Request.of(plain, Crowd.prompt(3, 2), 12));
        var tickets = others.stream().map(each -> submit(engine, each)).toList();
        var broken = submit(engine, Request.of(failing, Crowd.prompt(1, 2), 12));
        target.openGate();

        assertThatThrownBy(() -> Crowd.await(broken))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.PLUGIN_FAILED));
        for (int index = 0; index < others.size(); index++) {
            assertThat(Crowd.await(tickets.get(index)).tokens())
                    .isEqualTo(ids(Crowd.alone(others.get(index)).tokens()));
        }
        assertThat(engine.counters().failed()).isEqualTo(1);
    }

    private static List<Integer> ids(int[] tokens) {
        return Arrays.stream(tokens).boxed().toList();
    }

    /// A drafter that fails in its third draft.
    private static final class Failing implements DraftSession {
        private final DraftSession session;
        private int drafts;

        Failing(DraftSession session) {
            this.session = session;
        }

        @Override
        public void begin(int[] prompt, dev.outrider.spi.target.HiddenStates promptStates) {
            session.begin(prompt, promptStates);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            if (++drafts == 3) {
                throw new IllegalStateException("no more ideas");
            }
            return session.propose(budget, randomness);
        }

        @Override
        public void observe(
                Draft draft,
                dev.outrider.spi.tree.Verdict verdict,
                dev.outrider.spi.target.TargetScores scores) {
            session.observe(draft, verdict, scores);
        }

        @Override
        public void close() {
            session.close();
        }
    }

    @Test
    void aFailingPassFailsThoseInItAndTheOthersAreServed() {
        var engine = start(2, 9);
        target.failure = Optional.of(new IllegalStateException("the device is gone"));
        var tickets =
                IntStream.range(0, 4)
                        .mapToObj(_ -> submit(engine, Request.of(chain, Crowd.prompt(1), 9)))
                        .toList();
        target.openGate();
        int failed = 0;
        for (var ticket : tickets) {
            try {
                assertThat(Crowd.await(ticket).tokens()).hasSize(9);
            } catch (OutriderException e) {
                assertThat(e.code().name()).isEqualTo("INTERNAL");
                assertThat(e).hasMessageContaining("the device is gone");
                failed++;
            }
        }
        assertThat(failed).isBetween(1, 2).isEqualTo(target.passes.peek());
        assertThat(engine.counters().failed()).isEqualTo(failed);
    }

    @Test
    void closingWithGraceFinishesWhatWasTaken() {
        var engine = start(2, 9);
        var tickets =
                IntStream.range(0, 6)
                        .mapToObj(_ -> submit(engine, Request.of(chain, Crowd.prompt(1), 9)))
                        .toList();
        target.openGate();
        engine.close(Duration.ofSeconds(30));
        assertThat(tickets)
                .allMatch(each -> each.completion().join().reason() == Reason.MAX_TOKENS);
        assertThatThrownBy(() -> submit(engine, endless()))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_CLOSED));
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void closingReturnsWhatWasWrittenWhenTimeIsOver(int graceMillis) throws Exception {
        var engine = start(1, 9);
        var running = submit(engine, endless());
        var waiting = submit(engine, endless());
        target.letThrough(4);
        until(() -> target.passes.size() == 4);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> closing = threads.submit(() -> engine.close(Duration.ofMillis(graceMillis)));
            until(() -> refuses(engine));
            trickle(closing::isDone);
            closing.get();
        }
        assertThat(running.completion().join().reason()).isEqualTo(Reason.CLOSED);
        assertThat(running.completion().join().tokens()).hasSizeBetween(4, 199);
        assertThat(waiting.completion().join().reason()).isEqualTo(Reason.CLOSED);
        assertThat(waiting.completion().join().tokens()).isEmpty();
    }

    /// Releases one pass after the other.
    private void trickle(BooleanSupplier done) throws InterruptedException {
        while (!done.getAsBoolean()) {
            target.letThrough(1);
            Thread.sleep(5);
        }
    }

    private boolean refuses(ServingEngine engine) {
        try {
            submit(engine, endless()).cancel();
            return false;
        } catch (OutriderException e) {
            return e.code().equals(ErrorCode.SERVICE_CLOSED);
        }
    }

    /// Rows of 10 bytes: two requests of 20 rows fit into 450 bytes, three do not, one of 60 never does.
    @Test
    void cachesStayWithinTheirBudget() {
        var engine = start(new ServingLimits(8, 8, 450, 4, true));
        var request =
                Request.of(plain, Crowd.prompt(1, 2, 3, 4), 1)
                        .withEnding(new Ending(16, List.of(), true));
        var tickets = IntStream.range(0, 5).mapToObj(_ -> submit(engine, request)).toList();
        target.letThrough(1);
        until(() -> target.open.get() == 2);
        assertThat(engine.counters().cacheBytes()).isEqualTo(400);
        assertThatThrownBy(
                        () -> submit(engine, request.withEnding(new Ending(56, List.of(), true))))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY))
                .hasMessageContaining("60 tokens take 600 bytes, but the server has 450");
        target.openGate();
        assertThat(tickets).allMatch(each -> Crowd.await(each).tokens().size() == 16);
        assertThat(target.passes).allMatch(size -> size <= 2);
    }

    /// Tests distinguish requests by the capacity of their caches.
    @Test
    void clientsTakeTurns() {
        var engine = start(1, 20);
        var first = submit(engine, endless().withClient("first"));
        until(() -> target.open.get() == 1);
        var clients = List.of("a", "a", "a", "a", "b", "c", "b");
        var tickets =
                IntStream.range(0, clients.size())
                        .mapToObj(index ->
                                submit(
                                        engine,
                                        Request.of(plain, Crowd.prompt(1), 1 + index)
                                                .withClient(clients.get(index))))
                        .toList();
        first.cancel();
        target.openGate();
        tickets.forEach(Crowd::await);
        assertThat(target.capacities).containsExactly(202, 2, 6, 7, 3, 8, 4, 5);
    }

    @Test
    void aListenerThatThrowsEndsItsRequestAndOneThatWaitsStallsNobody()
            throws InterruptedException {
        var engine = start(3, 3);
        var wait = new CountDownLatch(1);
        var throwing =
                Request.submit(
                        engine,
                        endless(),
                        new ServingListener() {
                            @Override
                            public void onRound(ServedRound round) {
                                throw new IllegalStateException("the client is gone");
                            }
                        });
        var slow =
                Request.submit(
                        engine,
                        Request.of(plain, Crowd.prompt(1), 4),
                        new ServingListener() {
                            @Override
                            public void onStarted() {
                                try {
                                    wait.await();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            }
                        });
        var quick = submit(engine, Request.of(plain, Crowd.prompt(1), 9));
        target.letThrough(20);
        assertThat(Crowd.await(quick).tokens()).hasSize(9);
        trickle(() -> throwing.completion().isDone());
        assertThat(Crowd.await(throwing).reason()).isEqualTo(Reason.CANCELLED);
        assertThat(slow.completion()).isNotDone();
        assertThat(target.open).hasValue(0);
        wait.countDown();
        assertThat(Crowd.await(slow).tokens()).hasSize(4);
    }

    @Test
    void roundsSayWhereTokensComeFromAndTextFollowsThem() {
        var engine = start(2, 2);
        target.openGate();
        var rounds = Collections.synchronizedList(new ArrayList<ServedRound>());
        var calls = Collections.synchronizedList(new ArrayList<String>());
        var text = new StringBuilder();
        var listener =
                new ServingListener() {
                    @Override
                    public void onStarted() {
                        calls.add("started");
                    }

                    @Override
                    public void onRound(ServedRound round) {
                        calls.add("round");
                        rounds.add(round);
                    }

                    @Override
                    public void onText(String piece) {
                        assertThat(rounds).isNotEmpty();
                        text.append(piece);
                    }

                    @Override
                    public void onFinished(Completion completion) {
                        calls.add("finished");
                    }

                    @Override
                    public boolean wantsDrafts() {
                        return true;
                    }
                };
        var request =
                Request.of(chain, Crowd.prompt(1, 2), 120)
                        .withSampling(Request.sampling(SAMPLED, 4));
        var whole = Crowd.await(Request.submit(engine, request, listener));

        var tokens = rounds.stream().flatMap(each -> each.tokens().stream()).toList();
        assertThat(tokens.stream().map(ServedRound.Emitted::token)).isEqualTo(whole.tokens());
        assertThat(text).hasToString(whole.text());
        assertThat(calls).startsWith("started").endsWith("finished");
        assertThat(calls.subList(1, calls.size() - 1)).containsOnly("round");
        assertThat(tokens.stream().map(ServedRound.Emitted::origin))
                .contains(Origin.ACCEPTED, Origin.CORRECTION, Origin.BONUS);
        for (var round : rounds) {
            int accepted = (int) count(round, Origin.ACCEPTED);
            assertThat(round.nodes()).hasSize(round.drafted() + 1);
            assertThat(round.nodes().getFirst().parent()).isEqualTo(-1);
            assertThat(round.nodes().stream().skip(1))
                    .allMatch(each -> each.probability().orElseThrow() > 0);
            assertThat(round.nodes().stream().skip(1).filter(ServedRound.Node::accepted).count())
                    .isGreaterThanOrEqualTo(accepted);
            for (int index = 0; index < accepted; index++) {
                assertThat(round.tokens().get(index).token())
                        .isEqualTo(round.nodes().get(index + 1).token());
            }
        }
        var usage = whole.usage();
        long accepted = rounds.stream().mapToLong(each -> count(each, Origin.ACCEPTED)).sum();
        assertThat(usage.acceptedTokens()).isEqualTo(accepted).isPositive();
        assertThat(usage.draftedTokens())
                .isEqualTo(rounds.stream().mapToLong(ServedRound::drafted).sum());
        assertThat(usage.rounds()).isEqualTo(rounds.size());
        var counters = engine.counters();
        assertThat(counters.acceptedTokens()).isEqualTo(accepted);
        assertThat(counters.acceptedByPosition().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(accepted);
        assertThat(counters.emittedTokens()).isEqualTo(120);
        assertThat(counters.promptTokens()).isEqualTo(2);
        assertThat(counters.firstToken().count()).isEqualTo(1);
        assertThat(counters.betweenTokens().count())
                .isEqualTo(120 - rounds.getFirst().tokens().size());
        assertThat(counters.endToEnd().count()).isEqualTo(1);
    }

    private static long count(ServedRound round, Origin origin) {
        return round.tokens().stream().filter(each -> each.origin() == origin).count();
    }

    @Test
    void penaltiesAndBiasesAreExactInDrafts() {
        var engine = start(4, 9);
        target.openGate();
        var processors =
                List.of(
                        TokenPenalties.bias(Map.of(2, Float.NEGATIVE_INFINITY, 3, 0.5f)),
                        TokenPenalties.penalties(0.3, 1));
        var sampling = new Sampling(SamplingPolicy.argmax(), processors, 0, 0);
        for (int first = 0; first < 5; first++) {
            var prompt = Crowd.prompt(first, 2);
            var request = Request.of(chain, prompt, 150).withSampling(sampling);
            var drafted = Crowd.await(submit(engine, request));
            var alone = Crowd.alone(Request.of(plain, prompt, 150).withSampling(sampling));
            var free = Crowd.await(submit(engine, request.withSampling(Request.argmax())));

            assertThat(drafted.tokens()).isEqualTo(ids(alone.tokens())).doesNotContain(2);
            assertThat(drafted.usage().acceptedTokens()).isGreaterThan(10);
            assertThat(free.tokens()).isNotEqualTo(drafted.tokens());
        }
    }

    /// In a text `3 3 1` after a prompt of two tokens, whose last token is a guess, 1 was written once and 3 twice.
    @Test
    void penaltiesCountWhatWasWrittenAndGuessed() {
        var logits = MemorySegment.ofArray(new float[] {1, 2, 3, 4, 5});
        var history = new TokenHistory(new int[] {4, 0, 3, 3, 9}, 4, new int[] {1}, 2);
        TokenPenalties.penalties(0.5, 0.25).processor().process(logits, history);
        TokenPenalties.bias(Map.of(0, -1f)).processor().process(logits, history);
        assertThat(logits.toArray(ValueLayout.JAVA_FLOAT)).containsExactly(0, 1.25f, 3, 3, 5);
    }

    @Test
    void requestsThatCannotBeServedAreRefusedAtOnce() {
        var engine = start(1, 1);
        var lossy =
                new ServedVariant(
                        "lossy",
                        chain.decoder(),
                        Optional.of(new LenienceRule(0.5)),
                        LossyPairings.inFile(false));
        var sampled =
                Request.of(lossy, Crowd.prompt(1), 4).withSampling(Request.sampling(SAMPLED, 1));
        assertRefused(engine, sampled, ErrorCode.LOSSY_NOT_ALLOWED);
        assertRefused(engine, Request.of(plain, Crowd.prompt(), 4), ErrorCode.PROMPT_EMPTY);
        assertRefused(engine, Request.of(plain, Crowd.prompt(7), 4), ErrorCode.TOKEN_OUT_OF_RANGE);
        assertRefused(engine, Request.of(plain, Crowd.prompt(1), 400), ErrorCode.CONTEXT_EXCEEDED);
        var elsewhere = ServedVariant.plain(new GatedTarget(), ProcessorChain.none(), now::get);
        assertRefused(engine, Request.of(elsewhere, Crowd.prompt(1), 4), ErrorCode.CONFIG_INVALID);
        var allowed =
                new ServedVariant(
                        "lossy", chain.decoder(), lossy.rule(), LossyPairings.inFile(true));
        target.openGate();
        var served =
                Request.of(allowed, Crowd.prompt(1), 4).withSampling(Request.sampling(SAMPLED, 1));
        assertThat(Crowd.await(submit(engine, served)).tokens()).hasSize(4);
    }

    private static void assertRefused(ServingEngine engine, Request request, ErrorCode code) {
        assertThatThrownBy(() -> submit(engine, request))
                .isInstanceOfSatisfying(
                        OutriderException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void promptsAreReadInPartsAndInTurns() {
        var engine = start(new ServingLimits(3, 3, Long.MAX_VALUE, 3, true));
        var request = Request.of(plain, Crowd.prompt(new int[11]), 2);
        var tickets = Stream.of(request, request).map(each -> submit(engine, each)).toList();
        target.openGate();
        var alone = ids(Crowd.alone(request).tokens());
        assertThat(tickets).allMatch(each -> Crowd.await(each).tokens().equals(alone));
        assertThat(target.prefills.stream().filter(rows -> rows == 10)).hasSize(1);
        assertThat(target.prefills.stream().filter(rows -> rows < 10)).allMatch(rows -> rows <= 3);
        assertThat(target.prefills.stream().mapToInt(Integer::intValue).sum()).isEqualTo(30);
    }

    @Test
    void aPromptIsScoredWithoutWriting() {
        var engine = start(1, 1);
        target.openGate();
        var request =
                Request.of(chain, Crowd.prompt(1, 2, 3), 1)
                        .withScores(new Scores(OptionalInt.empty(), OptionalInt.of(1)))
                        .withEnding(Request.after(0));
        var whole = Crowd.await(submit(engine, request));
        assertThat(whole.reason()).isEqualTo(Reason.SCORED);
        assertThat(whole.promptScores()).hasSize(3).startsWith(Optional.empty());
        assertThat(whole.usage().rounds()).isZero();
        assertThat(target.passes).isEmpty();
    }

    @Test
    void manyThreadsSubmitAndCancel() throws Exception {
        var engine = start(4, 1000);
        target.openGate();
        int count = 400;
        var results = new ArrayList<Future<Completion>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int index = 0; index < count; index++) {
                int number = index;
                results.add(
                        threads.submit(() -> {
                            var request =
                                    Request.of(
                                                    number % 2 == 0 ? chain : plain,
                                                    Crowd.prompt(number % 5, 2),
                                                    5 + number % 20)
                                            .withSampling(Request.sampling(SAMPLED, number))
                                            .withClient("client " + number % 7);
                            var ticket = submit(engine, request);
                            if (number % 5 == 0) {
                                ticket.cancel();
                            }
                            var whole = Crowd.await(ticket);
                            var alone = ids(Crowd.alone(request).tokens());
                            assertThat(alone.subList(0, whole.tokens().size()))
                                    .isEqualTo(whole.tokens());
                            assertThat(number % 5 == 0 || whole.tokens().equals(alone)).isTrue();
                            return whole;
                        }));
            }
        }
        long emitted = 0;
        for (var each : results) {
            emitted += each.get().tokens().size();
        }
        var counters = engine.counters();
        assertThat(counters.emittedTokens()).isEqualTo(emitted);
        assertThat(counters.finished().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(count);
        assertThat(counters.running() + counters.waiting()).isZero();
        assertThat(counters.cacheBytes()).isZero();
    }

    @Test
    void variantsMustBeOfTheTargetAndOnePlain() {
        var limits = new ServingLimits(1, 1, Long.MAX_VALUE, ServingLimits.PREFILL_ROWS, true);
        assertThatThrownBy(() -> ServingEngine.start(target, List.of(chain), limits, now::get))
                .hasMessageContaining("none of the variants [chain] decodes plainly");
        assertThatThrownBy(
                        () -> ServingEngine.start(target, List.of(plain, plain), limits, now::get))
                .hasMessageContaining("two variants have the name 'plain'");
    }

    /// Drafters are opened only for their requests, also if a prompt is only scored.
    @Test
    void scoringOpensNoDrafter() {
        var engine = start(1, 1);
        target.openGate();
        Drafter none =
                new WrappedDrafter(guesses, session -> session) {
                    @Override
                    public DraftSession open(DraftRequest request) {
                        throw new IllegalStateException("opened");
                    }
                };
        var request =
                Request.of(variant("none", none), Crowd.prompt(1, 2, 3), 1)
                        .withScores(new Scores(OptionalInt.empty(), OptionalInt.of(0)))
                        .withEnding(Request.after(0));
        assertThat(Crowd.await(submit(engine, request)).promptScores()).hasSize(3);
    }
}
