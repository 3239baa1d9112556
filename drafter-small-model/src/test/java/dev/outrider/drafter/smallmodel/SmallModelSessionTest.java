package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.TokenReader;
import dev.outrider.engine.check.CheckedDrafter;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.draft.WorkAhead.Upcoming;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.LetterTokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions against a fresh session over the same history, on a network whose caches notice every mistake.
class SmallModelSessionTest {
    private static final int VOCABULARY = 11;
    private static final DraftBudget AMPLE = new DraftBudget(99, 99);

    static Stream<TreePlan> plans() {
        return Stream.of(
                new TreePlan.Chain(1),
                new TreePlan.Chain(4),
                new TreePlan.LevelWidths(List.of(3, 2, 1)),
                new TreePlan.RankPaths(
                        List.of(List.of(0), List.of(2), List.of(0, 1), List.of(0, 1, 3))),
                new TreePlan.Dynamic(3, 4, 10),
                new TreePlan.SampledWithReplacement(List.of(3, 2, 2)),
                new TreePlan.SampledWithoutReplacement(List.of(3, 2, 2)));
    }

    @ParameterizedTest
    @MethodSource("plans")
    void afterAnyVerdictsDraftsEqualThoseOfAFreshSession(TreePlan plan) {
        for (int seed = 0; seed < 40; seed++) {
            var random = new Random(seed);
            var network = new TableNetwork(VOCABULARY, seed, 2);
            var policy =
                    seed % 3 == 0
                            ? SamplingPolicy.argmax()
                            : new SamplingPolicy(0.8, 0, 1, 0, seed % 3 == 1 ? 1 : 1.4);
            var history = new ArrayList<>(List.of(1, 2, 3));
            try (var session = session(network, plan, policy)) {
                begin(session, history);
                for (int round = 0; round < 12; round++) {
                    var budget = budget(random);
                    long randomness = random.nextLong();

                    var draft = session.propose(budget, SessionDriver.randomness(randomness));

                    try (var fresh = session(network, plan, policy)) {
                        begin(fresh, history);
                        assertSame(
                                fresh.propose(budget, SessionDriver.randomness(randomness)), draft);
                    }
                    var verdict = verdict(random, draft.tree());
                    SessionDriver.observe(session, draft, verdict);
                    for (int token : verdict.emitted(draft.tree())) {
                        history.add(token);
                    }
                }
            }
            network.close();
        }
    }

    /// The verdict is the one that was foreseen, one that differs in the last token, or any.
    @ParameterizedTest
    @MethodSource("plans")
    void workAheadChangesNoDraft(TreePlan plan) {
        int spared = 0;
        for (int seed = 0; seed < 40; seed++) {
            var random = new Random(seed);
            var network = new TableNetwork(VOCABULARY, seed, 2);
            var policy =
                    seed % 3 == 0
                            ? SamplingPolicy.argmax()
                            : new SamplingPolicy(0.8, 0, 1, 0, seed % 3 == 1 ? 1 : 1.4);
            var history = new ArrayList<>(List.of(1, 2, 3));
            try (var session = session(network, plan, policy)) {
                var ahead = session.ahead(1 + seed % 6).orElseThrow();
                begin(session, history);
                long next = random.nextLong();
                for (int round = 0; round < 12; round++) {
                    var budget = budget(random);
                    long randomness = next;
                    network.passRows().clear();

                    var draft = session.propose(budget, SessionDriver.randomness(randomness));

                    int passes = network.passRows().size();
                    try (var fresh = session(network, plan, policy)) {
                        begin(fresh, history);
                        network.passRows().clear();
                        assertSame(
                                fresh.propose(budget, SessionDriver.randomness(randomness)), draft);
                        spared += network.passRows().size() - passes;
                    }
                    next = random.nextLong();
                    var steps = new AtomicInteger(random.nextBoolean() ? 99 : random.nextInt(6));
                    long follows = next;
                    var foreseen = budget(random);
                    if (random.nextInt(5) > 0) {
                        ahead.run(
                                new Upcoming(
                                        _ -> foreseen,
                                        SessionDriver.randomness(randomness),
                                        () -> SessionDriver.randomness(follows),
                                        () -> steps.getAndDecrement() > 0));
                    }
                    var verdict =
                            random.nextBoolean()
                                    ? likely(
                                            random,
                                            network,
                                            policy,
                                            history,
                                            draft.tree(),
                                            randomness)
                                    : verdict(random, draft.tree());
                    SessionDriver.observe(session, draft, verdict);
                    for (int token : verdict.emitted(draft.tree())) {
                        history.add(token);
                    }
                }
            }
            network.close();
        }
        assertThat(spared).as("passes that the next draft did not need any more").isPositive();
    }

    @Test
    void aForeseenOutcomeLeavesNothingToRun() {
        var network = new TableNetwork(VOCABULARY, 1, 50);
        try (var session = session(network, new TreePlan.Chain(3), SamplingPolicy.argmax())) {
            var ahead = session.ahead(1).orElseThrow();
            var history = List.of(1, 2, 3);
            begin(session, history);
            var draft = session.propose(AMPLE, SessionDriver.randomness(0));
            network.passRows().clear();

            ahead.run(upcoming(() -> true));

            assertThat(network.passRows()).containsExactly(1, 1, 1, 1);
            SessionDriver.observe(
                    session,
                    draft,
                    ended(3, network, SamplingPolicy.argmax(), history, draft.tree(), 0));
            network.passRows().clear();
            assertThat(session.propose(AMPLE, SessionDriver.randomness(0)).tree().draftedNodes())
                    .isEqualTo(3);
            assertThat(network.passRows()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void everyLikelyOutcomeLeavesNothingToRun(int acceptedLength) {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        try (var session = session(network, new TreePlan.Chain(3), SamplingPolicy.argmax())) {
            var ahead = session.ahead(30).orElseThrow();
            var history = List.of(1, 2, 3);
            begin(session, history);
            var draft = session.propose(AMPLE, SessionDriver.randomness(0));
            network.passRows().clear();

            ahead.run(upcoming(() -> true));

            assertThat(network.passRows()).containsExactly(1, 30, 30, 30);
            SessionDriver.observe(
                    session,
                    draft,
                    ended(
                            acceptedLength,
                            network,
                            SamplingPolicy.argmax(),
                            history,
                            draft.tree(),
                            0));
            network.passRows().clear();
            session.propose(AMPLE, SessionDriver.randomness(0));
            assertThat(network.passRows()).isEmpty();
        }
    }

    @Test
    void workThatIsNotWantedIsNotDone() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        try (var session = session(network, new TreePlan.Chain(3), SamplingPolicy.argmax())) {
            var ahead = session.ahead(2).orElseThrow();
            begin(session, List.of(1, 2, 3));
            session.propose(AMPLE, SessionDriver.randomness(0));
            network.passRows().clear();

            ahead.run(upcoming(() -> false));

            assertThat(network.passRows()).isEmpty();
        }
    }

    private static Upcoming upcoming(BooleanSupplier wanted) {
        return new Upcoming(
                _ -> AMPLE, SessionDriver.randomness(0), () -> SessionDriver.randomness(0), wanted);
    }

    /// The first path is accepted to some depth, and the token follows that the rule would draw from what the network says there.
    private static Verdict likely(
            Random random,
            TableNetwork network,
            SamplingPolicy policy,
            List<Integer> history,
            TokenTree tree,
            long randomness) {
        return ended(
                random.nextInt(3) > 0 ? 99 : random.nextInt(3),
                network,
                policy,
                history,
                tree,
                randomness);
    }

    private static Verdict ended(
            int most,
            TableNetwork network,
            SamplingPolicy policy,
            List<Integer> history,
            TokenTree tree,
            long randomness) {
        var path = new ArrayList<Integer>();
        var text = new ArrayList<>(history);
        int[] below = tree.candidates(0);
        while (below.length > 0 && path.size() < most) {
            path.add(below[0]);
            text.add(tree.token(below[0]));
            below = tree.candidates(below[0]);
        }
        int last = path.isEmpty() ? 0 : path.getLast();
        var next = new NextTokens(policy, new DraftVocabulary(VOCABULARY, VOCABULARY), false);
        int[] before = text.stream().mapToInt(Integer::intValue).toArray();
        double[] left = next.distribution(network.logitsAfter(text), TokenHistory.of(before));
        for (int child : below) {
            left[tree.token(child)] = 0;
        }
        int token =
                next.guess(
                        SessionDriver.randomness(randomness),
                        below.length > 0 ? Randomness.Role.RESIDUAL : Randomness.Role.BONUS,
                        last,
                        text.size(),
                        left);
        return new Verdict(
                path, token, below.length > 0 ? Verdict.Origin.CORRECTION : Verdict.Origin.BONUS);
    }

    @Test
    void afterFullAcceptanceTheLastTwoTokensAreFedTogether() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        try (var session = session(network, new TreePlan.Chain(3), SamplingPolicy.argmax())) {
            begin(session, List.of(1, 2, 3));
            var draft = session.propose(AMPLE, SessionDriver.randomness(0));
            SessionDriver.observe(session, draft, verdict(1, 2, 3));
            network.passRows().clear();

            session.propose(AMPLE, SessionDriver.randomness(0));

            assertThat(network.passRows()).containsExactly(2, 1, 1);
        }
    }

    @Test
    void afterPartialAcceptanceOnlyTheNewRootIsFed() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        try (var session = session(network, new TreePlan.Chain(3), SamplingPolicy.argmax())) {
            begin(session, List.of(1, 2, 3));
            var draft = session.propose(AMPLE, SessionDriver.randomness(0));
            SessionDriver.observe(session, draft, verdict(1, 2));
            network.passRows().clear();

            session.propose(AMPLE, SessionDriver.randomness(0));

            assertThat(network.passRows()).containsExactly(1, 1, 1);
        }
    }

    @Test
    void thePromptAndRoundsWithoutDraftingAreCaughtUpInOnePass() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        try (var session = session(network, new TreePlan.Chain(3), SamplingPolicy.argmax())) {
            begin(session, List.of(1, 2, 3));
            for (int round = 0; round < 5; round++) {
                var draft = session.propose(new DraftBudget(0, 0), SessionDriver.randomness(0));
                SessionDriver.observe(session, draft, verdict());
            }
            assertThat(network.passRows()).isEmpty();

            session.propose(AMPLE, SessionDriver.randomness(0));

            assertThat(network.passRows()).containsExactly(8, 1, 1);
        }
    }

    @ParameterizedTest
    @MethodSource("plans")
    void whatItIsToldItHasReadWhenItDrafts(TreePlan plan) {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        try (var session = session(network, plan, SamplingPolicy.argmax());
                var fresh = session(network, plan, SamplingPolicy.argmax())) {
            begin(session, List.of(1, 2, 3));
            session.propose(AMPLE, SessionDriver.randomness(0));
            network.passRows().clear();

            ((TokenReader) session).note(4);
            ((TokenReader) session).note(5, 6);

            assertThat(network.passRows()).isEmpty();
            begin(fresh, List.of(1, 2, 3, 4, 5, 6));
            assertSame(
                    fresh.propose(AMPLE, SessionDriver.randomness(7)),
                    session.propose(AMPLE, SessionDriver.randomness(7)));
        }
    }

    @Test
    void aLongPromptIsFedInSeveralPasses() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        var prompt = new ArrayList<Integer>();
        for (int i = 0; i < 600; i++) {
            prompt.add(i % VOCABULARY);
        }
        try (var session =
                drafter(network, new TreePlan.Chain(1), 1000)
                        .open(new DraftRequest(700, SamplingPolicy.argmax()))) {
            begin(session, prompt);

            session.propose(AMPLE, SessionDriver.randomness(0));

            assertThat(network.passRows()).containsExactly(256, 256, 87, 1);
        }
    }

    @Test
    void aSequenceBeyondTheDraftModelsPositionsGoesOnWithoutGuesses() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        var drafter = drafter(network, new TreePlan.Chain(4), 6);
        try (var session = drafter.open(new DraftRequest(50, SamplingPolicy.argmax()))) {
            begin(session, List.of(1, 2, 3));
            var lengths = new ArrayList<Integer>();
            for (int round = 0; round < 7; round++) {
                var draft = session.propose(AMPLE, SessionDriver.randomness(0));
                lengths.add(draft.tree().draftedNodes());
                SessionDriver.observe(session, draft, verdict());
            }

            assertThat(lengths).containsExactly(4, 3, 2, 1, 0, 0, 0);
        }
        network.close();
    }

    @Test
    void aPromptBeyondTheDraftModelsPositionsIsNotRead() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        var drafter = drafter(network, new TreePlan.Chain(4), 2);
        try (var session = drafter.open(new DraftRequest(50, SamplingPolicy.argmax()))) {
            begin(session, List.of(1, 2, 3));

            assertThat(session.propose(AMPLE, SessionDriver.randomness(0)).tree())
                    .isEqualTo(TokenTree.rootOnly(3));
            assertThat(network.passRows()).isEmpty();
        }
    }

    @Test
    void aTokenTheDraftModelCannotReadEndsTheGuesses() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        try (var session = session(network, new TreePlan.Chain(2), SamplingPolicy.argmax())) {
            begin(session, List.of(1, 2, 3));
            var draft = session.propose(AMPLE, SessionDriver.randomness(0));
            SessionDriver.observe(
                    session, draft, new Verdict(List.of(1), VOCABULARY, Verdict.Origin.CORRECTION));

            var none = session.propose(AMPLE, SessionDriver.randomness(0));
            assertThat(none.tree()).isEqualTo(TokenTree.rootOnly(VOCABULARY));
            SessionDriver.observe(session, none, verdict());
            assertThat(session.propose(AMPLE, SessionDriver.randomness(0)).tree().draftedNodes())
                    .isZero();
        }
    }

    @Test
    void proposingTwiceGivesTheSameDraft() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        try (var session =
                session(
                        network,
                        new TreePlan.LevelWidths(List.of(2, 2, 2)),
                        SamplingPolicy.argmax())) {
            begin(session, List.of(1, 2, 3));
            var first = session.propose(AMPLE, SessionDriver.randomness(0));

            assertSame(first, session.propose(AMPLE, SessionDriver.randomness(0)));
        }
    }

    @ParameterizedTest
    @MethodSource("plans")
    void draftsKeepTheirContractWithGreedyAndWithSamplingTargets(TreePlan plan) {
        var target = new TokenizerOnlyTarget(VOCABULARY, VOCABULARY);
        for (double temperature : new double[] {0, 0.8}) {
            var network = new TableNetwork(VOCABULARY, 1, 2);
            var policy = SamplingPolicy.atTemperature(temperature);
            var checked = new CheckedDrafter(drafter(network, plan, 1000), target);
            try (var session = checked.open(new DraftRequest(50, policy))) {
                begin(session, List.of(1, 2, 3));

                var draft = session.propose(new DraftBudget(9, 9), SessionDriver.randomness(0));

                assertThat(draft.selection().kind()).isEqualTo(plan.selection(policy.greedy()));
            }
        }
    }

    @Test
    void refusesCallsInTheWrongOrder() {
        var network = new TableNetwork(VOCABULARY, 1, 2);
        try (var session = session(network, new TreePlan.Chain(2), SamplingPolicy.argmax())) {
            assertThatThrownBy(() -> session.propose(AMPLE, SessionDriver.randomness(0)))
                    .hasMessage("propose comes after begin");
            begin(session, List.of(1));
            assertThatThrownBy(() -> begin(session, List.of(1)))
                    .hasMessage("the session has begun already");
            assertThatThrownBy(() -> SessionDriver.observe(session, Draft.empty(1), verdict()))
                    .hasMessage("observe comes after propose");
        }
    }

    private static void assertSame(Draft expected, Draft actual) {
        assertThat(actual.tree()).isEqualTo(expected.tree());
        assertThat(actual.selection().kind()).isEqualTo(expected.selection().kind());
        for (int node = 0; node < expected.tree().size(); node++) {
            if (distributions(expected).has(node)) {
                assertThat(distributions(actual).row(node))
                        .containsExactly(distributions(expected).row(node));
            }
        }
    }

    private static DraftDistributions distributions(Draft draft) {
        return switch (draft.selection()) {
            case Selection.PointMass() -> DraftDistributions.builder().build();
            case Selection.Independent(var distributions) -> distributions;
            case Selection.WithoutReplacement(var distributions) -> distributions;
        };
    }

    private static DraftBudget budget(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new DraftBudget(0, 0);
            case 1 -> new DraftBudget(5, 2);
            default -> AMPLE;
        };
    }

    /// Accepts down to a random node, in half of the cases a deepest one.
    private static Verdict verdict(Random random, TokenTree tree) {
        int last = random.nextBoolean() ? tree.size() - 1 : random.nextInt(tree.size());
        var path = new ArrayList<Integer>();
        for (int node : tree.path(last)) {
            path.add(node);
        }
        return new Verdict(
                path.subList(1, path.size()),
                random.nextInt(VOCABULARY),
                Verdict.Origin.CORRECTION);
    }

    private static Verdict verdict(Integer... nodes) {
        return new Verdict(List.of(nodes), 5, Verdict.Origin.BONUS);
    }

    private static void begin(DraftSession session, List<Integer> prompt) {
        session.begin(
                prompt.stream().mapToInt(Integer::intValue).toArray(), SessionDriver.NO_STATES);
    }

    private static DraftSession session(
            TableNetwork network, TreePlan plan, SamplingPolicy policy) {
        return drafter(network, plan, 1000).open(new DraftRequest(100, policy));
    }

    private static SmallModelDrafter drafter(
            TableNetwork network, TreePlan plan, int maxPositions) {
        return new SmallModelDrafter(
                Configs.of(plan),
                new DraftModel(
                        network, new LetterTokenizer(VOCABULARY), VOCABULARY, maxPositions, 7, ""),
                VOCABULARY);
    }
}
