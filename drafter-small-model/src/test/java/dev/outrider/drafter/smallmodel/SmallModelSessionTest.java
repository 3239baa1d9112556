package dev.outrider.drafter.smallmodel;

import static dev.outrider.drafter.smallmodel.TableSessions.AMPLE;
import static dev.outrider.drafter.smallmodel.TableSessions.VOCABULARY;
import static dev.outrider.drafter.smallmodel.TableSessions.assertSame;
import static dev.outrider.drafter.smallmodel.TableSessions.begin;
import static dev.outrider.drafter.smallmodel.TableSessions.budget;
import static dev.outrider.drafter.smallmodel.TableSessions.drafter;
import static dev.outrider.drafter.smallmodel.TableSessions.session;
import static dev.outrider.drafter.smallmodel.TableSessions.verdict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.TokenReader;
import dev.outrider.engine.check.GuardedSession;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares sessions with a fresh session over the same history, on a network whose caches detect every mistake.
class SmallModelSessionTest {
    @ParameterizedTest
    @MethodSource("dev.outrider.drafter.smallmodel.TableSessions#plans")
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
    @MethodSource("dev.outrider.drafter.smallmodel.TableSessions#plans")
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
    @MethodSource("dev.outrider.drafter.smallmodel.TableSessions#plans")
    void draftsKeepTheirContractWithGreedyAndWithSamplingTargets(TreePlan plan) {
        for (double temperature : new double[] {0, 0.8}) {
            var network = new TableNetwork(VOCABULARY, 1, 2);
            var policy = SamplingPolicy.atTemperature(temperature);
            try (var session =
                    new GuardedSession(
                            drafter(network, plan, 1000),
                            new DraftRequest(50, policy),
                            VOCABULARY,
                            true,
                            OnFailure.STOP,
                            _ -> {})) {
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
}
