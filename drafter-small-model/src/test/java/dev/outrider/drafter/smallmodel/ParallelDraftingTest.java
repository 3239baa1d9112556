package dev.outrider.drafter.smallmodel;

import static dev.outrider.drafter.smallmodel.TableSessions.AMPLE;
import static dev.outrider.drafter.smallmodel.TableSessions.VOCABULARY;
import static dev.outrider.drafter.smallmodel.TableSessions.assertSame;
import static dev.outrider.drafter.smallmodel.TableSessions.begin;
import static dev.outrider.drafter.smallmodel.TableSessions.budget;
import static dev.outrider.drafter.smallmodel.TableSessions.session;
import static dev.outrider.drafter.smallmodel.TableSessions.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.smallmodel.LikelyOutcomes.NextTokens;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.DraftSession.ParallelDrafting;
import dev.outrider.spi.draft.DraftSession.ParallelDrafting.Upcoming;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Drafting on before the verdict is known: it changes no draft, and spares what was foreseen.
class ParallelDraftingTest {
    /// The verdict is the one that was foreseen, one that differs in the last token, or any.
    @ParameterizedTest
    @MethodSource("dev.outrider.drafter.smallmodel.TableSessions#plans")
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
                var ahead = prepared(session, 1 + seed % 6);
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
                        ahead.draftAhead(
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
            var ahead = prepared(session, 1);
            var history = List.of(1, 2, 3);
            begin(session, history);
            var draft = session.propose(AMPLE, SessionDriver.randomness(0));
            network.passRows().clear();

            ahead.draftAhead(upcoming(() -> true));

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
            var ahead = prepared(session, 30);
            var history = List.of(1, 2, 3);
            begin(session, history);
            var draft = session.propose(AMPLE, SessionDriver.randomness(0));
            network.passRows().clear();

            ahead.draftAhead(upcoming(() -> true));

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
            var ahead = prepared(session, 2);
            begin(session, List.of(1, 2, 3));
            session.propose(AMPLE, SessionDriver.randomness(0));
            network.passRows().clear();

            ahead.draftAhead(upcoming(() -> false));

            assertThat(network.passRows()).isEmpty();
        }
    }

    private static ParallelDrafting prepared(DraftSession session, int branches) {
        var work = session.capability(ParallelDrafting.class).orElseThrow();
        work.prepare(branches);
        return work;
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
}
