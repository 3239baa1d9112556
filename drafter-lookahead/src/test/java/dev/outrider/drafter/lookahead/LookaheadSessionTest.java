package dev.outrider.drafter.lookahead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.lookahead.LookaheadSession.NGramPool;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import dev.outrider.testkit.TableTarget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LookaheadSessionTest {
    private static final int[] PROMPT = {1, 4, 2, 1, 4, 3};
    private static final LookaheadConfig CONFIG = new LookaheadConfig(3, 4, 2, true, 1);
    private static final DraftBudget FULL = CONFIG.traits().fullBudget();

    @Test
    void ofTheScoresItReadsOneArgmaxForEachColumn() {
        var session = new LookaheadSession(CONFIG, Set.of(), List.of());
        try (var driven = new Driven(TableTarget.of(Toys.circle()), session, PROMPT)) {
            for (int round = 0; round < 6; round++) {
                var tree = driven.propose(FULL).tree();
                driven.decide(tree);
            }
            var draft = driven.propose(FULL);
            var tree = draft.tree();
            var reads = new ArrayList<Integer>();
            session.observe(
                    draft, new Verdict(List.of(), 1, Origin.CORRECTION), new ArgmaxOnly(reads));

            // Rows 0 to 2 are the current token and level 0, then two levels of three columns.
            assertThat(reads).containsExactly(6, 7, 8);
            assertThat(tree.verified(8)).isFalse();
            assertThat(tree.size()).isGreaterThan(9);
        }
    }

    @Test
    void aBudgetTooSmallForTheWindowLeavesItAndKeepsTheGuesses() {
        var session = new LookaheadSession(CONFIG, Set.of(), List.of());
        try (var driven = new Driven(TableTarget.of(Toys.circle()), session, PROMPT)) {
            for (int round = 0; round < 6; round++) {
                driven.decide(driven.propose(FULL).tree());
            }
            var before = driven.propose(FULL).tree();
            var small = driven.propose(new DraftBudget(4, 2)).tree();

            assertThat(small.candidateNodes()).isEqualTo(small.draftedNodes()).isBetween(1, 4);
            assertThat(small.candidateDepth()).isLessThanOrEqualTo(2);
            assertThat(driven.propose(new DraftBudget(0, 0)).tree().draftedNodes()).isZero();
            assertThat(driven.propose(FULL).tree()).isEqualTo(before);
        }
    }

    @Test
    void callsOutOfOrderAreRefused() {
        var session = new LookaheadSession(CONFIG, Set.of(), List.of());
        var verdict = new Verdict(List.of(), 1, Origin.BONUS);
        var scores = new ArgmaxOnly(new ArrayList<>());

        assertThatThrownBy(() -> session.observe(Draft.empty(3), verdict, scores))
                .hasMessage("observe comes after propose");
        try (var driven = new Driven(TableTarget.of(Toys.circle()), session, PROMPT)) {
            assertThatThrownBy(() -> session.begin(PROMPT, scores))
                    .hasMessage("the session has begun already");
            driven.decide(driven.propose(FULL).tree());
            assertThatThrownBy(() -> session.observe(Draft.empty(3), verdict, scores))
                    .hasMessage("observe comes after propose");
        }
    }

    @Test
    void endsOfSequenceLeaveTheWindowButStayInThePool() {
        var ends = Set.of(0, 3);
        var session = new LookaheadSession(CONFIG, ends, List.of());
        try (var driven = new Driven(TableTarget.of(Toys.circle()), session, PROMPT)) {
            for (int round = 0; round < 9; round++) {
                var tree = driven.propose(FULL).tree();
                for (int node = 1; node < tree.size(); node++) {
                    assertThat(!tree.verified(node) && ends.contains(tree.token(node))).isFalse();
                }
                driven.decide(tree);
            }
            assertThat(lastTokens(session.pool())).containsAnyElementsOf(ends);
        }
    }

    @Test
    void thePoolIsBoundedByKeysAndGuesses() {
        var session = new LookaheadSession(CONFIG, Set.of(), List.of());
        try (var driven = new Driven(TableTarget.of(Toys.chaos()), session, PROMPT)) {
            for (int round = 0; round < 150; round++) {
                driven.decide(driven.propose(FULL).tree());
            }
            assertThat(session.pool().size())
                    .isBetween(Toys.VOCABULARY, Toys.VOCABULARY * CONFIG.guesses());
        }
    }

    private static Set<Integer> lastTokens(NGramPool pool) {
        var tokens = new HashSet<Integer>();
        for (int key = 0; key < Toys.VOCABULARY; key++) {
            pool.following(key).forEach(gram -> tokens.add(gram[gram.length - 1]));
        }
        return tokens;
    }

    /// Scores that provide argmax only.
    private record ArgmaxOnly(List<Integer> reads) implements TargetScores {
        @Override
        public int argmax(int node) {
            reads.add(node);
            return 0;
        }

        @Override
        public int vocabularySize() {
            throw new AssertionError("asked for the vocabulary");
        }

        @Override
        public MemorySegment logits(int node) {
            throw new AssertionError("asked for the logits of node " + node);
        }

        @Override
        public int size() {
            throw new AssertionError("asked for the size");
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw new AssertionError("asked for " + which);
        }

        @Override
        public void close() {}
    }
}
