package dev.outrider.drafting.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// A drafter of another kind than our own may read and draw what it likes.
class TimedSessionTest {
    private static final DecoderConfig TARGET =
            new TimedTarget("stories260k", 1, Precision.F32, 8).decoder();

    @Test
    void logitsMayBeReadAndGuessesDrawn() {
        try (var session = new TimedSession(new Drawing(3), 8, 2, 3, TARGET)) {
            session.draft();
            session.reset();
            session.draft();
        }
    }

    @Test
    void aDraftOfAnotherLengthIsRefused() {
        try (var session = new TimedSession(new Drawing(2), 8, 1, 3, TARGET)) {
            assertThatThrownBy(session::draft)
                    .hasMessageContaining(
                            "CONTRACT_BROKEN: the draft that is timed has 2 guesses, expected 3");
        }
    }

    /// Draws every guess from the target's last distribution.
    private record Drawing(int length) implements Drafter {
        @Override
        public DrafterTraits traits() {
            return Drafting.traitsOf(new TreePlan.Chain(length), Selection.Kind.POINT_MASS, false);
        }

        @Override
        public DraftSession open(DraftRequest request) {
            return new Session(length);
        }

        @Override
        public void close() {}
    }

    private static final class Session implements DraftSession {
        private final int length;
        private int root;

        Session(int length) {
            this.length = length;
        }

        @Override
        public void begin(int[] prompt, HiddenStates states) {
            root = prompt[prompt.length - 1];
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var weights = new double[TARGET.vocabularySize()];
            Arrays.fill(weights, 7, 10, 2);
            int depth = Math.min(length, budget.maxDepth());
            int[] guesses = new int[depth];
            for (int node = 0; node < depth; node++) {
                guesses[node] = randomness.draw(Randomness.Role.DRAFT, node, weights);
                assertThat(guesses[node]).isEqualTo(8);
                assertThat(randomness.gumbelTopK(node, weights, 2)).containsExactly(7, 8);
                assertThat(randomness.gumbelTopK(node, weights, 5)).containsExactly(7, 8, 9);
                var others = new double[] {0, 3, 1, 0, 5, 3, 4};
                assertThat(randomness.gumbelTopK(node, others, 3)).containsExactly(4, 6, 1);
                assertThat(randomness.gumbelTopK(node, others, 9)).containsExactly(4, 6, 1, 5, 2);
                assertThat(randomness.uniform(Randomness.Role.DRAFT, node)).isBetween(0.0, 1.0);
                assertThat(randomness.accept(node, 2, 1)).isTrue();
                assertThat(randomness.accept(node, 0, 1)).isFalse();
            }
            return new Draft(TokenTree.chain(root, guesses), new Selection.PointMass());
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            assertThat(scores.vocabularySize()).isEqualTo(TARGET.vocabularySize());
            assertThat(scores.logits(0).toArray(ValueLayout.JAVA_FLOAT))
                    .hasSize(TARGET.vocabularySize());
            assertThat(scores.argmax(0)).isZero();
            root = verdict.nextToken();
        }

        @Override
        public void close() {}
    }
}
