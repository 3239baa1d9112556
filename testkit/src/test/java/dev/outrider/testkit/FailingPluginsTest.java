package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.OneHotRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.check.Guard;
import dev.outrider.engine.check.Guard.OnFailure;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.CoinSupply;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.DecodeEvent.PluginFailed;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.RuleTraits;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.TreePlan;
import dev.outrider.spi.Verdict;
import dev.outrider.spi.Verdict.Origin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every way in which a broken drafter or rule was tried: what a request comes to when it is to go on, and when it is to stop.
class FailingPluginsTest {
    private static final TableModel LAWS = TableModel.random(5, LawStyle.DENSE, 3);
    private static final TableTarget TARGET = TableTarget.of(LAWS);
    private static final int[] PROMPT = {0, 1};
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    private static final Duration DEADLINE = Duration.ofSeconds(1);
    private static final Guard PLAIN = new Guard(OnFailure.PLAIN, Optional.empty());
    private static final Guard PLAIN_IN_TIME = new Guard(OnFailure.PLAIN, Optional.of(DEADLINE));
    private static final TableModel FEW = TableModel.random(3, LawStyle.DENSE, 3);
    private static final Drafter FEW_GUESSES =
            new TableDrafter(TableModel.random(3, LawStyle.DENSE, 4), new TreePlan.Chain(2), WARM);
    private static final Guard STOP = new Guard(OnFailure.STOP, Optional.empty());
    private static final Guard STOP_IN_TIME = new Guard(OnFailure.STOP, Optional.of(DEADLINE));

    /// A drafter that does something wrong, and what is said about it.
    ///
    /// @param name    what it does
    /// @param drafter the drafter
    /// @param problem part of the message
    private record Broken(String name, Drafter drafter, String problem) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Broken> broken() {
        return Stream.of(
                new Broken(
                        "throws when it is opened",
                        opening(),
                        "failed in open of round 0: java.lang.IllegalStateException: no weights"),
                broken(
                        "throws at the prompt",
                        At.BEGIN,
                        () -> fail(new IllegalStateException("bug")),
                        "failed in begin of round 0"),
                broken(
                        "throws in a round",
                        At.PROPOSE,
                        () -> fail(new IllegalStateException("bug")),
                        "failed in propose of round 1: java.lang.IllegalStateException: bug"),
                broken(
                        "throws an assertion error",
                        At.PROPOSE,
                        () -> fail(new AssertionError("bug")),
                        "java.lang.AssertionError: bug"),
                broken(
                        "misses a class",
                        At.PROPOSE,
                        () -> fail(new NoClassDefFoundError("org/acme/Gone")),
                        "NoClassDefFoundError: org/acme/Gone"),
                broken(
                        "recurses without end",
                        At.PROPOSE,
                        () -> recurse(0),
                        "java.lang.StackOverflowError"),
                broken(
                        "asks for more memory than there is",
                        At.PROPOSE,
                        FailingPluginsTest::allocate,
                        "java.lang.OutOfMemoryError"),
                broken(
                        "throws when it is told the verdict",
                        At.OBSERVE,
                        () -> fail(new IllegalStateException("bug")),
                        "failed in observe of round 1"),
                drafting(
                        "returns null",
                        (draft, _) -> nothing(),
                        "failed in propose of round 1: java.lang.NullPointerException"),
                drafting(
                        "drafts from another root",
                        (draft, _) -> tree(1 + draft.tree().token(0), 0),
                        "proposed a tree with root"),
                drafting(
                        "drafts too many nodes",
                        (_, root) -> tree(root, 0, 1, 2, 3, 4, 0),
                        "proposed 6 nodes, expected at most 3"),
                drafting(
                        "drafts a tree for a rule of chains",
                        (_, root) -> twins(root),
                        "proposed a tree, expected a chain as it declares"),
                drafting(
                        "drafts a token that does not exist",
                        (_, root) -> tree(root, 5),
                        "proposed token 5 at node 1, expected 0 to 4"),
                drafting(
                        "states no laws",
                        (draft, _) ->
                                new Draft(
                                        draft.tree(),
                                        new Selection.Independent(DraftLaws.builder().build())),
                        "recorded no law for the children of node 0"),
                drafting(
                        "states laws of another vocabulary",
                        (draft, _) -> stating(draft, new double[] {.5, .5}),
                        "recorded a law over 2 tokens at node 0, expected 5"),
                drafting(
                        "states that what it drew is impossible",
                        (draft, _) -> stating(draft, new double[5]),
                        "to which its law gives probability 0"),
                drafting(
                        "drafts in a way it did not declare",
                        (draft, _) ->
                                new Draft(
                                        draft.tree(),
                                        new Selection.WithoutReplacement(
                                                DraftLaws.builder().build())),
                        "proposed nodes chosen as WITHOUT_REPLACEMENT, expected INDEPENDENT"));
    }

    static Stream<Broken> slow() {
        return Stream.of(
                broken(
                        "waits for ever",
                        At.PROPOSE,
                        FailingPluginsTest::hang,
                        "did not answer in propose of round 1 within PT1S"),
                broken(
                        "waits for ever when it is told the verdict",
                        At.OBSERVE,
                        FailingPluginsTest::hang,
                        "did not answer in observe of round 1"),
                broken(
                        "answers too late",
                        At.PROPOSE,
                        FailingPluginsTest::dawdle,
                        "did not answer in propose of round 1"));
    }

    @ParameterizedTest
    @MethodSource("slow")
    void aDrafterThatTakesTooLongIsAskedNoMore(Broken slow) {
        var events = new ArrayList<PluginFailed>();

        assertThat(decode(decoder(slow.drafter(), PLAIN_IN_TIME), events)).hasSize(8);
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().problem()).contains(slow.problem());
    }

    @ParameterizedTest
    @MethodSource("slow")
    void aDrafterThatTakesTooLongEndsTheRequestIfItIsTo(Broken slow) {
        assertThatThrownBy(() -> decode(decoder(slow.drafter(), STOP_IN_TIME), new ArrayList<>()))
                .hasMessageContaining(slow.problem());
    }

    @ParameterizedTest
    @MethodSource("broken")
    void goesOnWithPlainDecoding(Broken broken) {
        var events = new ArrayList<PluginFailed>();

        int[] tokens = decode(decoder(broken.drafter(), PLAIN), events);

        assertThat(tokens).hasSize(8);
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().problem()).contains(broken.problem());
    }

    @ParameterizedTest
    @MethodSource("broken")
    void stopsIfItIsTo(Broken broken) {
        var events = new ArrayList<PluginFailed>();

        assertThatThrownBy(() -> decode(decoder(broken.drafter(), STOP), events))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(broken.problem());
        assertThat(events).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("broken")
    void argmaxOutputIsThatOfPlainDecoding(Broken broken) {
        var request = new DecodeRequest(PROMPT, 8, SamplingPolicy.argmax(), List.of(), true);
        int[] plain =
                Decoder.plain(TARGET, new OneHotRule(), () -> 0).decode(request, coins()).tokens();

        assertThat(decoder(broken.drafter(), PLAIN).decode(request, coins()).tokens())
                .containsExactly(plain);
    }

    @Test
    void theLawOfARequestThatWentOnIsTheTargets() {
        for (var at : At.values()) {
            if (at != At.CLOSE) {
                var drafter =
                        failing(FEW_GUESSES, at, () -> fail(new IllegalStateException("bug")));

                ExactLaw.assertExact(of(FEW, drafter), FEW, WARM, PROMPT, 3, 4);
            }
        }
    }

    @Test
    void aFailureThatDependsOnWhatWasDrawnCannotBeMadeGood() {
        var drafter =
                new WrappedDrafter(
                        FEW_GUESSES,
                        session ->
                                new WrappedDrafter.Session(session) {
                                    @Override
                                    public Draft propose(DraftBudget budget, Coins coins) {
                                        var draft = super.propose(budget, coins);
                                        if (draft.tree().size() > 1 && draft.tree().token(1) == 0) {
                                            throw new IllegalStateException("no token 0");
                                        }
                                        return draft;
                                    }
                                });

        assertThat(ExactLaw.error(of(FEW, drafter), FEW, WARM, PROMPT, 1, 1)).isGreaterThan(1e-2);
    }

    @Test
    void aSessionThatFailsToCloseDoesNotUndoTheOutput() {
        var drafter = failing(At.CLOSE, () -> fail(new IllegalStateException("bug")));
        var events = new ArrayList<PluginFailed>();

        assertThat(decode(decoder(drafter, PLAIN), events)).hasSize(8);
        assertThat(events.getFirst().problem()).contains("failed in close of round");
    }

    @Test
    void aSessionThatHasFailedIsClosedAtOnceAndOnce() {
        var closed = new ArrayList<String>();
        var drafter =
                new WrappedDrafter(
                        FaultyDrafters.throwing(honest(), 1, new IllegalStateException("bug")),
                        session ->
                                new WrappedDrafter.Session(session) {
                                    @Override
                                    public void close() {
                                        closed.add("closed");
                                        super.close();
                                    }
                                });

        decode(decoder(drafter, PLAIN), new ArrayList<>());

        assertThat(closed).containsExactly("closed");
    }

    @Test
    void threadsOfDraftersEndWithTheRequestAndLeaveNoInterrupt() {
        decode(
                decoder(failing(At.PROPOSE, FailingPluginsTest::dawdle), PLAIN_IN_TIME),
                new ArrayList<>());
        assertThatThrownBy(() -> decode(decoder(opening(), STOP_IN_TIME), new ArrayList<>()))
                .isInstanceOf(OutriderException.class);

        assertThat(Thread.interrupted()).isFalse();
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("drafter '"))
                .forEach(thread -> assertThat(ends(thread)).isTrue());
    }

    static Map<String, BiFunction<Draft, TargetLaws, Verdict>> brokenRules() {
        var rules = new LinkedHashMap<String, BiFunction<Draft, TargetLaws, Verdict>>();
        rules.put("failed in decide of round 0", (_, _) -> fail(new IllegalStateException("bug")));
        rules.put("accepted node 9, expected 1 to", (_, _) -> verdict(List.of(9), 0));
        rules.put("accepted node 2 after node 0", (_, _) -> verdict(List.of(2), 0));
        rules.put("emitted token 5, expected 0 to 4", (_, _) -> verdict(List.of(), 5));
        rules.put("NullPointerException", (_, _) -> nothing());
        return rules;
    }

    @Test
    void aBrokenRuleDecidesNothing() {
        brokenRules()
                .forEach((problem, decide) -> {
                    var decoder =
                            new Decoder(
                                    TARGET,
                                    Optional.of(honest()),
                                    rule(decide),
                                    FixedLength.drafterLimit(),
                                    false,
                                    () -> 0,
                                    PLAIN);
                    var events = new ArrayList<PluginFailed>();

                    assertThat(decode(decoder, events)).hasSize(8);
                    assertThat(events.getFirst().problem()).contains(problem);
                    ExactLaw.assertExact(
                            new Decoder(
                                    TableTarget.of(FEW),
                                    Optional.of(FEW_GUESSES),
                                    rule(decide),
                                    FixedLength.drafterLimit(),
                                    false,
                                    () -> 0,
                                    PLAIN),
                            FEW,
                            WARM,
                            PROMPT,
                            2,
                            2);
                });
    }

    @Test
    void aDeadlineMustBePositive() {
        assertThatThrownBy(() -> new Guard(OnFailure.PLAIN, Optional.of(Duration.ZERO)))
                .hasMessage("deadline PT0S is not positive");
    }

    /// When a drafter does something wrong.
    private enum At {
        BEGIN,
        PROPOSE,
        OBSERVE,
        CLOSE
    }

    private static Broken broken(String name, At at, Runnable fault, String problem) {
        return new Broken(name, failing(at, fault), problem);
    }

    private static Broken drafting(
            String name, BiFunction<Draft, Integer, Draft> fault, String problem) {
        var drafter =
                FaultyDrafters.spoiling(
                        honest(),
                        (round, draft, _) ->
                                round == 1 ? fault.apply(draft, draft.tree().token(0)) : draft);
        return new Broken(name, drafter, problem);
    }

    private static Drafter honest() {
        return new TableDrafter(
                TableModel.random(5, LawStyle.DENSE, 4), new TreePlan.Chain(3), WARM);
    }

    private static Drafter opening() {
        return new WrappedDrafter(honest(), UnaryOperator.identity()) {
            @Override
            public DraftSession open(DraftRequest request) {
                throw new IllegalStateException("no weights");
            }
        };
    }

    /// The fault comes in round 1, or at the one time there is.
    private static Drafter failing(At at, Runnable fault) {
        return failing(honest(), at, fault);
    }

    private static Drafter failing(Drafter honest, At at, Runnable fault) {
        return new WrappedDrafter(
                honest,
                session ->
                        new WrappedDrafter.Session(session) {
                            private int round;

                            @Override
                            public void begin(int[] prompt, HiddenStates promptStates) {
                                super.begin(prompt, promptStates);
                                fault(At.BEGIN, true);
                            }

                            @Override
                            public Draft propose(DraftBudget budget, Coins coins) {
                                var draft = super.propose(budget, coins);
                                fault(At.PROPOSE, round == 1);
                                return draft;
                            }

                            @Override
                            public void observe(Verdict verdict, TargetScores scores) {
                                super.observe(verdict, scores);
                                fault(At.OBSERVE, round == 1);
                                round++;
                            }

                            @Override
                            public void close() {
                                super.close();
                                fault(At.CLOSE, true);
                            }

                            private void fault(At now, boolean due) {
                                if (at == now && due) {
                                    fault.run();
                                }
                            }
                        });
    }

    private static AcceptanceRule rule(BiFunction<Draft, TargetLaws, Verdict> decide) {
        return new AcceptanceRule() {
            @Override
            public RuleTraits traits() {
                return new TokenRejectionRule().traits();
            }

            @Override
            public Verdict decide(Draft draft, TargetLaws target, Coins coins) {
                return decide.apply(draft, target);
            }
        };
    }

    private static Verdict verdict(List<Integer> nodes, int next) {
        return new Verdict(nodes, next, Origin.CORRECTION);
    }

    private static Draft tree(int root, int... tokens) {
        return new Draft(TokenTree.chain(root, tokens), new Selection.PointMass());
    }

    private static Draft twins(int root) {
        var tree = TokenTree.builder(root);
        tree.add(0, 1);
        tree.add(0, 2);
        var law = new double[] {.2, .2, .2, .2, .2};
        return new Draft(
                tree.build(), new Selection.Independent(DraftLaws.builder().put(0, law).build()));
    }

    private static Draft stating(Draft draft, double[] law) {
        var laws = DraftLaws.builder();
        for (int node = 0; node < draft.tree().draftedNodes(); node++) {
            laws.put(node, law);
        }
        return new Draft(draft.tree(), new Selection.Independent(laws.build()));
    }

    private static Decoder of(TableModel target, Drafter drafter) {
        return new Decoder(
                TableTarget.of(target),
                Optional.of(drafter),
                new TokenRejectionRule(),
                FixedLength.drafterLimit(),
                false,
                () -> 0,
                PLAIN);
    }

    private static Decoder decoder(Drafter drafter, Guard guard) {
        return new Decoder(
                TARGET,
                Optional.of(drafter),
                new TokenRejectionRule(),
                FixedLength.drafterLimit(),
                false,
                () -> 0,
                guard);
    }

    private static int[] decode(Decoder decoder, List<PluginFailed> events) {
        var request = new DecodeRequest(PROMPT, 8, WARM, List.of(), true);
        return decoder.decode(
                        request,
                        coins(),
                        event -> {
                            if (event instanceof PluginFailed failed) {
                                assertThat(failed.code())
                                        .isIn(ErrorCode.PLUGIN_FAILED, ErrorCode.CONTRACT_BROKEN);
                                events.add(failed);
                            }
                        },
                        () -> false)
                .tokens();
    }

    private static CoinSupply coins() {
        return CoinSupply.of(new KeyedRandomStreams(3, 1));
    }

    private static <T> T fail(Throwable problem) {
        throw FailingPluginsTest.<RuntimeException>unchecked(problem);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable problem) throws E {
        throw (E) problem;
    }

    /// What a plugin that knows nothing of nullness returns.
    @SuppressWarnings("NullAway")
    private static <T> T nothing() {
        return new LinkedHashMap<String, T>().remove("anything");
    }

    private static int recurse(int depth) {
        return depth < 0 ? depth : recurse(depth + 1) + 1;
    }

    private static void allocate() {
        var all = new ArrayList<long[]>();
        while (true) {
            all.add(new long[Integer.MAX_VALUE - 8]);
        }
    }

    private static void hang() {
        try {
            Thread.sleep(Duration.ofMinutes(10));
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /// Takes its time, looks at no interrupt, and answers before it is left.
    private static void dawdle() {
        long end = System.nanoTime() + DEADLINE.multipliedBy(3).dividedBy(2).toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static boolean ends(Thread thread) {
        try {
            return thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
