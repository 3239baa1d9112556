package dev.outrider.drafter.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Every drafter of a cascade lives through every token, whoever drafted it.
class CascadeSessionTest {
    private final Diary first = new Diary();
    private final Diary second = new Diary();
    private final Diary third = new Diary();
    private final DraftSession cascade = new CascadeSession(List.of(first, second, third));

    @Test
    void theFirstThatProposesDraftsAndLaterOnesAreNotAsked() {
        begin();
        second.guess = List.of(7, 8);

        var draft = cascade.propose(new DraftBudget(4, 4), new NoRandomness());

        assertThat(draft.tree()).isEqualTo(TokenTree.chain(2, 7, 8));
        assertThat(third.budgets).isEmpty();
    }

    @Test
    void theOthersFollowTokenByTokenWithTheScoresOfThatToken() {
        begin();
        second.guess = List.of(7, 8);
        var draft = cascade.propose(new DraftBudget(4, 4), new NoRandomness());

        cascade.observe(
                draft, new Verdict(List.of(1, 2), 9, Verdict.Origin.BONUS), new NumberedScores(3));

        assertThat(second.seen).containsExactly("[1, 2] 9 of 3 nodes");
        assertThat(first.seen)
                .containsExactly("[] 7 at node 0", "[] 8 at node 1", "[] 9 at node 2");
        assertThat(third.seen).isEqualTo(first.seen);
        assertThat(first.budgets).containsExactly(4, 0, 0);
        assertThat(third.budgets).containsExactly(0, 0, 0);
        assertThat(List.of(first.root, second.root, third.root)).containsOnly(9);
    }

    @Test
    void whenNobodyProposesTheDraftIsEmptyAndAllGoOn() {
        begin();

        var draft = cascade.propose(new DraftBudget(4, 4), new NoRandomness());
        assertThat(draft).isEqualTo(Draft.empty(2));
        cascade.observe(
                draft, new Verdict(List.of(), 5, Verdict.Origin.BONUS), new NumberedScores(1));

        assertThat(List.of(first.root, second.root, third.root)).containsOnly(5);
    }

    @Test
    void observingWithoutADraftIsRefused() {
        begin();

        assertThatThrownBy(() ->
                        cascade.observe(
                                Draft.empty(2),
                                new Verdict(List.of(), 5, Verdict.Origin.BONUS),
                                new NumberedScores(1)))
                .isInstanceOf(IllegalStateException.class);
    }

    private void begin() {
        cascade.begin(new int[] {1, 2}, new NumberedScores(0));
    }

    /// Proposes what it is told to and writes down what it observes.
    private static final class Diary implements DraftSession {
        private final List<String> seen = new ArrayList<>();
        private final List<Integer> budgets = new ArrayList<>();
        private List<Integer> guess = List.of();
        private int root;
        private Optional<Draft> proposed = Optional.empty();

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            root = prompt[prompt.length - 1];
            Arrays.fill(prompt, -1); // a session may do with its prompt what it likes
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            assertThat(proposed).describedAs("proposes once a round").isEmpty();
            budgets.add(budget.maxNodes());
            int[] tokens =
                    guess.stream().limit(budget.maxNodes()).mapToInt(Integer::intValue).toArray();
            var draft = new Draft(TokenTree.chain(root, tokens), new Selection.PointMass());
            proposed = Optional.of(draft);
            return draft;
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            assertThat(proposed).describedAs("observes what it proposed").containsSame(draft);
            proposed = Optional.empty();
            root = verdict.nextToken();
            seen.add(
                    "%s %d %s"
                            .formatted(
                                    verdict.acceptedNodes(),
                                    verdict.nextToken(),
                                    scores.size() == 1
                                            ? "at node %d".formatted(scores.argmax(0))
                                            : "of %d nodes".formatted(scores.size())));
        }

        @Override
        public void close() {}
    }

    /// Scores whose argmax at a node is the node's number.
    private record NumberedScores(int size) implements TargetScores {
        @Override
        public int vocabularySize() {
            return 10;
        }

        @Override
        public int argmax(int node) {
            return node;
        }

        @Override
        public MemorySegment logits(int node) {
            throw new AssertionError("nobody reads logits here");
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw new AssertionError("nobody reads hidden states here");
        }

        @Override
        public void close() {}
    }

    private record NoRandomness() implements Randomness {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            throw new AssertionError("nobody tests here");
        }

        @Override
        public int draw(Randomness.Role role, int node, double[] distribution) {
            throw new AssertionError("nobody draws here");
        }

        @Override
        public int[] gumbelTopK(int position, double[] distribution, int count) {
            throw new AssertionError("nobody races here");
        }

        @Override
        public double uniform(Randomness.Role role, int node) {
            throw new AssertionError("nobody draws here");
        }
    }
}
