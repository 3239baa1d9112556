package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Overlap;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.DraftSession.ParallelDrafting;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.ForwardingTarget;
import dev.outrider.testkit.ForwardingTargetSession;
import dev.outrider.testkit.WrappedDrafter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Drafting while the target verifies, on the real network: whatever the stages' times are, the same tokens and the same drafts come
/// as from stages that take turns, and as from a drafter that never works ahead.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OverlapTest {
    private static final int TOKENS = 24;
    private static final int PROMPTS = Boolean.getBoolean("outrider.nightly") ? 2 : 1;

    private final TargetModel target = RandomDecoders.vectorTarget();

    @AfterAll
    void close() {
        target.close();
    }

    /// A shape, a temperature, what judges, and how many of the target's layers the draft has: all of them guess like the target.
    record Case(TreePlan plan, double temperature, AcceptanceRule rule, int layers) {}

    static Stream<Case> cases() {
        var chain = new TreePlan.Chain(3);
        var widths = new TreePlan.LevelWidths(List.of(2, 2, 1));
        return Stream.of(
                new Case(chain, 0, new TokenRejectionRule(), 2),
                new Case(chain, 0, new TokenRejectionRule(), 3),
                new Case(chain, 0.7, new TokenRejectionRule(), 2),
                new Case(chain, 0.7, new TokenRejectionRule(), 3),
                new Case(widths, 0, new SampleAndMatchRule(), 2),
                new Case(widths, 0.7, new SampleAndMatchRule(), 3),
                new Case(new TreePlan.Dynamic(3, 3, 8), 0.7, new SampleAndMatchRule(), 3));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void tokensAndDraftsDoNotDependOnTheStagesTimes(Case which) {
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            var expected = run(which, Overlap.NONE, prompt, 0, 0);
            for (int branches : new int[] {1, 4, 16}) {
                assertThat(run(which, Overlap.IN_TURN.branches(branches), prompt, 0, 0))
                        .as("%d branches", branches)
                        .isEqualTo(expected);
                for (int[] micros : new int[][] {{0, 0}, {2000, 0}, {0, 2000}, {900, 900}}) {
                    assertThat(
                                    run(
                                            which,
                                            Overlap.BESIDE.branches(branches),
                                            prompt,
                                            micros[0],
                                            micros[1]))
                            .as(
                                    "%d branches, delays up to %d and %d µs",
                                    branches, micros[0], micros[1])
                            .isEqualTo(expected);
                }
            }
        }
    }

    /// What was emitted, and every draft.
    record Outcome(List<Integer> tokens, List<TokenTree> drafts) {}

    private Outcome run(Case which, Overlap how, int prompt, int draftMicros, int targetMicros) {
        var delays = new Random(prompt * 31L + draftMicros + targetMicros);
        var delayed = new DelayedTarget(target, new Delays(delays.nextLong(), targetMicros));
        var drafts = new ArrayList<TokenTree>();
        try (var drafter =
                drafter(which, new Delays(delays.nextLong(), draftMicros), which.layers())) {
            var generation =
                    decoder(delayed, drafter, which.rule())
                            .withOverlap(how)
                            .decode(
                                    request(which.temperature(), prompt),
                                    randomness(prompt),
                                    event -> {
                                        if (event instanceof RoundCompleted round) {
                                            drafts.add(round.draft().tree());
                                        }
                                    },
                                    () -> false);
            return new Outcome(Arrays.stream(generation.tokens()).boxed().toList(), drafts);
        }
    }

    @Test
    void aDrafterThatIsAlwaysRightHasTheNextDraftReady() {
        var which = new Case(new TreePlan.Chain(3), 0, new TokenRejectionRule(), 3);
        var network = new CountingNetwork(RandomDecoders.vectorNetwork(3));
        try (var drafter = drafter(which.plan(), network)) {
            var rounds = new ArrayList<Integer>();
            decoder(target, drafter, which.rule())
                    .withOverlap(Overlap.IN_TURN)
                    .decode(
                            request(0, 1, 96),
                            randomness(1),
                            event -> {
                                if (event instanceof RoundCompleted) {
                                    rounds.add(network.passes());
                                }
                            },
                            () -> false);

            // Its probabilities say little; how often they were right is learned. From then on a
            // round is leaf, guess and two steps, all of them ahead.
            var passes =
                    IntStream.range(8, 20).map(round -> rounds.get(round) - rounds.get(round - 1));
            assertThat(passes.toArray()).containsOnly(4);
        }
    }

    @Test
    void aDrafterThatDoesNothingMeanwhileIsRefused() {
        try (var drafter = new WrappedDrafter(drafter(chain(), Delays.NONE, 2), WithoutWork::new)) {
            var decoder =
                    decoder(target, drafter, new TokenRejectionRule()).withOverlap(Overlap.BESIDE);

            assertThatThrownBy(() -> decoder.decode(request(0, 1), randomness(1)))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            CAPABILITY_MISSING: drafter 'WrappedDrafter' does nothing while the target verifies, but 'overlap' asks for it
                              Leave out 'overlap', or choose 'small-model' with 'vocabulary: same'.\
                            """);
        }
    }

    @Test
    void workThatFailsEndsTheRequestOrTheDrafting() {
        try (var drafter = new WrappedDrafter(drafter(chain(), Delays.NONE, 2), Failing::new)) {
            for (var how : List.of(Overlap.IN_TURN, Overlap.BESIDE)) {
                var stopping = decoder(target, drafter, new TokenRejectionRule()).withOverlap(how);
                assertThatThrownBy(() -> stopping.decode(request(0, 1), randomness(1)))
                        .isInstanceOfSatisfying(
                                OutriderException.class,
                                failure ->
                                        assertThat(failure.problem())
                                                .endsWith(
                                                        "failed in draftAhead of round 0: java.lang.IllegalStateException: out of ideas"));

                var events = new ArrayList<DecodeEvent>();
                var generation =
                        stopping.withOnFailure(OnFailure.PLAIN)
                                .decode(request(0, 1), randomness(1), events::add, () -> false);

                assertThat(generation.tokens())
                        .isEqualTo(
                                decoder(target, drafter, new TokenRejectionRule())
                                        .decode(request(0, 1), randomness(1))
                                        .tokens());
                assertThat(events)
                        .filteredOn(PluginFailed.class::isInstance)
                        .singleElement()
                        .satisfies(event ->
                                assertThat(((PluginFailed) event).code())
                                        .isEqualTo(ErrorCode.PLUGIN_FAILED));
            }
        }
    }

    @Test
    void aTargetThatFailsWaitsForTheDrafter() {
        try (var drafter = drafter(chain(), new Delays(1, 3000), 2)) {
            var failing =
                    decoder(new FailingTarget(target), drafter, new TokenRejectionRule())
                            .withOverlap(Overlap.BESIDE);

            assertThatThrownBy(() -> failing.decode(request(0, 1), randomness(1)))
                    .hasMessage("no power");
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("outrider-ahead") && working(thread));
    }

    private static boolean working(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().startsWith("dev.outrider.drafter"));
    }

    private static Case chain() {
        return new Case(new TreePlan.Chain(3), 0, new TokenRejectionRule(), 2);
    }

    private static Decoder decoder(TargetModel target, Drafter drafter, AcceptanceRule rule) {
        return new Decoder(
                target, Optional.of(drafter), rule, FixedLength.drafterLimit(), true, () -> 0);
    }

    private Drafter drafter(Case which, Delays delays, int layers) {
        return drafter(
                which.plan(), new DelayedNetwork(RandomDecoders.vectorNetwork(layers), delays));
    }

    private Drafter drafter(TreePlan plan, DecoderNetwork network) {
        return new SmallModelDrafterFactory((_, _) -> RandomDecoders.draft(network))
                .create(Configs.of(Drafting.of(plan)), () -> target);
    }

    private static DecodeRequest request(double temperature, int prompt) {
        return request(temperature, prompt, TOKENS);
    }

    private static DecodeRequest request(double temperature, int prompt, int tokens) {
        var ids = new Random(prompt).ints(4, 0, RandomDecoders.VOCABULARY).toArray();
        return DecodeRequest.of(ids, tokens, SamplingPolicy.atTemperature(temperature));
    }

    private static RandomnessSource randomness(int prompt) {
        return RandomnessSource.of(new KeyedRandomStreams(1, prompt));
    }

    /// Delays of up to so many microseconds. Confined to one thread at a time.
    private static final class Delays {
        static final Delays NONE = new Delays(0, 0);

        private final Random random;
        private final int most;

        Delays(long seed, int most) {
            this.random = new Random(seed);
            this.most = most;
        }

        void pass() {
            if (most > 0) {
                LockSupport.parkNanos(1000L * random.nextInt(most));
            }
        }
    }

    private record DelayedNetwork(DecoderNetwork network, Delays delays) implements DecoderNetwork {
        @Override
        public KvCache newCache(int rows) {
            return network.newCache(rows);
        }

        @Override
        public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
            delays.pass();
            return network.forward(blocks, outputs);
        }

        @Override
        public void close() {
            network.close();
        }
    }

    private record DelayedTarget(TargetModel target, Delays delays) implements ForwardingTarget {
        @Override
        public TargetSession open(SessionRequest request) {
            return new Session(target.open(request), delays);
        }

        private record Session(TargetSession session, Delays delays)
                implements ForwardingTargetSession {
            @Override
            public TargetScores score(TokenTree tree) {
                delays.pass();
                return session.score(tree);
            }
        }
    }

    private record FailingTarget(TargetModel target) implements ForwardingTarget {
        @Override
        public TargetSession open(SessionRequest request) {
            return new Session(target.open(request));
        }

        private record Session(TargetSession session) implements ForwardingTargetSession {
            @Override
            public TargetScores score(TokenTree tree) {
                throw new IllegalStateException("no power");
            }
        }
    }

    private static final class WithoutWork extends WrappedDrafter.Session {
        WithoutWork(DraftSession session) {
            super(session);
        }

        @Override
        public <T> Optional<T> capability(Class<T> type) {
            return Optional.empty();
        }
    }

    private static final class Failing extends WrappedDrafter.Session implements ParallelDrafting {
        Failing(DraftSession session) {
            super(session);
        }

        @Override
        public void prepare(int branches) {}

        @Override
        public void draftAhead(Upcoming upcoming) {
            throw new IllegalStateException("out of ideas");
        }
    }
}
