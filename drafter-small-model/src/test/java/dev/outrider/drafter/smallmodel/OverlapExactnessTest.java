package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Overlap;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.engine.random.StreamRandomness;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.DraftSession.ParallelDrafting;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.WrappedDrafter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rounds with work ahead, enumerated over every random outcome: the tokens follow the target's distribution exactly. A drafter that
/// keeps tokens drawn for another outcome than the one that came does not.
class OverlapExactnessTest {
    private static final int VOCABULARY = 3;

    /// Greatest number of outcomes that are worked on where the work ahead is enumerated too; the enumeration grows fast with it.
    private static final int BRANCHES = Boolean.getBoolean("outrider.nightly") ? 2 : 1;

    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy POLICY = new SamplingPolicy(0.8, 0, 1, 0, 1.2);

    /// One pairing.
    record Pairing(TreePlan plan, AcceptanceRule rule) {}

    static Stream<Pairing> pairings() {
        return Stream.of(
                new Pairing(new TreePlan.Chain(2), new TokenRejectionRule()),
                new Pairing(new TreePlan.Chain(1), new BlockVerificationRule()),
                new Pairing(new TreePlan.LevelWidths(List.of(2, 1)), new SampleAndMatchRule()),
                new Pairing(new TreePlan.Dynamic(2, 2, 3), new SampleAndMatchRule()),
                new Pairing(
                        new TreePlan.SampledWithoutReplacement(List.of(2)),
                        new WithoutReplacementRule()),
                new Pairing(new TreePlan.Coupled(List.of(1, 1)), new GumbelCoupledRule()));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void tokensFollowTheTargetsDistribution(Pairing pairing) {
        int ready = 0;
        for (int seed = 0; seed < 2; seed++) {
            var network = new TableNetwork(VOCABULARY, 200 + seed, 1.5);
            var count = new int[1];
            Function<DraftSession, DraftSession> counted =
                    session -> new CountsReady(session, network, count);
            for (int branches : new int[] {1, 2, 8}) {
                assertThat(error(pairing, network, counted, seed, Ahead.SEEDED, branches))
                        .as("%d branches", branches)
                        .isLessThan(ExactDistribution.TOLERANCE);
            }
            ready += count[0];
        }
        assertThat(ready).as("drafts that needed no pass").isPositive();
    }

    @Test
    void whatTheWorkAheadDrewIsEnumeratedToo() {
        var pairing = new Pairing(new TreePlan.Chain(1), new TokenRejectionRule());
        for (int seed = 0; seed < 2; seed++) {
            var network = new TableNetwork(VOCABULARY, 200 + seed, 1.5);
            int most = seed == 0 ? BRANCHES : 1;
            for (int branches = 1; branches <= most; branches++) {
                assertThat(
                                error(
                                        pairing,
                                        network,
                                        session -> session,
                                        seed,
                                        Ahead.ENUMERATED,
                                        branches))
                        .isLessThan(ExactDistribution.TOLERANCE);
            }
        }
    }

    /// The control beside its twin: they differ in nothing but a look at what came.
    @Test
    void tokensDrawnForAnotherOutcomeAreNotExact() {
        var pairing = new Pairing(new TreePlan.Chain(1), new TokenRejectionRule());
        double worst = 0;
        for (int seed = 0; seed < 4; seed++) {
            var network = new TableNetwork(VOCABULARY, 200 + seed, 1.5);
            var drafter = drafter(pairing, network);
            assertThat(
                            error(
                                    pairing,
                                    network,
                                    session -> new DrawsAhead(session, drafter, true),
                                    seed,
                                    Ahead.ENUMERATED))
                    .isLessThan(ExactDistribution.TOLERANCE);
            worst =
                    Math.max(
                            worst,
                            error(
                                    pairing,
                                    network,
                                    session -> new DrawsAhead(session, drafter, false),
                                    seed,
                                    Ahead.ENUMERATED));
        }
        assertThat(worst).isGreaterThan(1e-3);
    }

    /// Where the work ahead takes its randomness from.
    private enum Ahead {
        /// From the enumeration, as everything else.
        ENUMERATED,
        /// From streams of its own: of all it can draw, one outcome.
        SEEDED
    }

    private static double error(
            Pairing pairing,
            TableNetwork network,
            Function<DraftSession, DraftSession> around,
            int seed,
            Ahead ahead) {
        return error(pairing, network, around, seed, ahead, Overlap.BRANCHES);
    }

    private static double error(
            Pairing pairing,
            TableNetwork network,
            Function<DraftSession, DraftSession> around,
            int seed,
            Ahead ahead,
            int branches) {
        var working = new AtomicBoolean();
        var model =
                TableModel.random(
                        VOCABULARY,
                        DistributionStyle.values()[seed % DistributionStyle.values().length],
                        seed);
        var decoder =
                new Decoder(
                                TableTarget.of(model),
                                Optional.of(
                                        new WrappedDrafter(
                                                drafter(pairing, network),
                                                session ->
                                                        ahead == Ahead.SEEDED
                                                                ? new SaysWhen(
                                                                        around.apply(session),
                                                                        working)
                                                                : around.apply(session))),
                                pairing.rule(),
                                FixedLength.drafterLimit(),
                                true,
                                () -> 0)
                        .withOverlap(Overlap.IN_TURN.branches(branches));
        var emitted =
                ExactDistribution.emitted(
                        decoder,
                        POLICY,
                        PROMPT,
                        2,
                        forks ->
                                switch (ahead) {
                                    case ENUMERATED -> _ -> forks;
                                    case SEEDED -> new SeededAhead(forks, working);
                                });
        return ExactDistribution.distance(
                ExactDistribution.completed(emitted, model, POLICY, PROMPT, 5),
                ExactDistribution.ofTarget(model, POLICY, PROMPT, 5));
    }

    private static Drafter drafter(Pairing pairing, TableNetwork network) {
        return new SmallModelDrafter(
                Configs.of(Drafting.of(pairing.plan())),
                new DraftModel(
                        network,
                        new LetterTokenizer(VOCABULARY),
                        VOCABULARY,
                        100,
                        1,
                        "",
                        Optional.empty()),
                VOCABULARY);
    }

    /// Randomness that is enumerated where rounds take it, and not where the work ahead does.
    private record SeededAhead(Randomness forks, AtomicBoolean working)
            implements RandomnessSource {
        @Override
        public Randomness round(int round) {
            return working.get()
                    ? new StreamRandomness(new KeyedRandomStreams(7, 0), round)
                    : forks;
        }
    }

    /// Says when it works ahead, and gives what the engine asked for before.
    private static final class SaysWhen extends WrappedDrafter.Session implements ParallelDrafting {
        private final AtomicBoolean working;

        SaysWhen(DraftSession session, AtomicBoolean working) {
            super(session);
            this.working = working;
        }

        @Override
        public void prepare(int branches) {
            work().prepare(branches);
        }

        @Override
        public void draftAhead(Upcoming upcoming) {
            working.set(true);
            try {
                work().draftAhead(
                                new Upcoming(
                                        upcoming.budget(),
                                        new StreamRandomness(new KeyedRandomStreams(7, 0), 0),
                                        upcoming.next(),
                                        upcoming.wanted()));
            } finally {
                working.set(false);
            }
        }

        private ParallelDrafting work() {
            return session().capability(ParallelDrafting.class).orElseThrow();
        }
    }

    /// Counts drafts that were made without a pass.
    private static final class CountsReady extends WrappedDrafter.Session {
        private final TableNetwork network;
        private final int[] ready;

        CountsReady(DraftSession session, TableNetwork network, int[] ready) {
            super(session);
            this.network = network;
            this.ready = ready;
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            int before = network.passRows().size();
            var draft = super.propose(budget, randomness);
            if (draft.tree().draftedNodes() > 0 && network.passRows().size() == before) {
                ready[0]++;
            }
            return draft;
        }
    }

    /// Draws the next chain ahead, as if this one were accepted and token 0 followed, and proposes it with the distributions of the
    /// text that came: rightly, where it looks whether that is the text it drew for.
    private static final class DrawsAhead extends WrappedDrafter.Session
            implements ParallelDrafting {
        private final Drafter drafter;
        private final boolean looks;
        private int[] text = new int[0];
        private int[] foreseen = new int[0];
        private int[] last = new int[0];
        private Optional<int[]> drawn = Optional.empty();

        DrawsAhead(DraftSession session, Drafter drafter, boolean looks) {
            super(session);
            this.drafter = drafter;
            this.looks = looks;
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            text = prompt;
            super.begin(prompt, promptStates);
        }

        @Override
        public void prepare(int branches) {}

        @Override
        public void draftAhead(Upcoming upcoming) {
            foreseen = join(text, join(last, 0));
            try (var other = drafter.open(new DraftRequest(60, POLICY))) {
                other.begin(foreseen, SessionDriver.NO_STATES);
                var budget = upcoming.budget().apply(1);
                int[] chain = other.propose(budget, upcoming.next().get()).tree().tokens();
                drawn = Optional.of(Arrays.copyOfRange(chain, 1, chain.length));
            }
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var taken = drawn.filter(_ -> !looks || Arrays.equals(text, foreseen));
            drawn = Optional.empty();
            var draft =
                    super.propose(
                            budget, taken.isPresent() ? SessionDriver.randomness(0) : randomness);
            int[] tokens = taken.orElseGet(() -> tail(draft));
            last = tokens;
            return new Draft(TokenTree.chain(draft.tree().token(0), tokens), draft.selection());
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            text = join(text, verdict.emitted(draft.tree()));
            super.restart(text);
        }

        private static int[] tail(Draft draft) {
            int[] tokens = draft.tree().tokens();
            return Arrays.copyOfRange(tokens, 1, tokens.length);
        }

        private static int[] join(int[] first, int... second) {
            return IntStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
        }
    }
}
