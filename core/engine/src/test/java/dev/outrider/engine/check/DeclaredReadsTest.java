package dev.outrider.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenState.AfterFinalNorm;
import dev.outrider.spi.target.HiddenState.AfterLayer;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// A root, an accepted node 1 and a rejected node 2, and a drafter that requested the state after
/// the last norm.
class DeclaredReadsTest {
    private static final HiddenState ASKED = new AfterFinalNorm();
    private static final Scores SCORES = new Scores();

    private final DeclaredReads modest = declared(false);

    @Test
    void acceptedRowsAreTheTargets() {
        for (int node = 0; node < 2; node++) {
            assertThat(modest.logits(node)).isEqualTo(SCORES.logits(node));
            assertThat(modest.argmax(node)).isEqualTo(SCORES.argmax(node));
            assertThat(modest.hidden(ASKED, node)).isEqualTo(SCORES.hidden(ASKED, node));
        }
        assertThat(modest.size()).isEqualTo(3);
        assertThat(modest.vocabularySize()).isEqualTo(4);
    }

    @Test
    void rejectedRowsCannotBeRead() {
        refused(() -> modest.logits(2), rejected("the logits"));
        refused(() -> modest.argmax(2), rejected("the argmax"));
        refused(() -> modest.hidden(ASKED, 2), rejected("the hidden state"));
    }

    @Test
    void rejectedRowsAreReadableIfDeclared() {
        var curious = declared(true);

        assertThat(curious.logits(2)).isEqualTo(SCORES.logits(2));
        assertThat(curious.argmax(2)).isEqualTo(SCORES.argmax(2));
        assertThat(curious.hidden(ASKED, 2)).isEqualTo(SCORES.hidden(ASKED, 2));
    }

    @Test
    void undeclaredStatesCannotBeRead() {
        refused(
                () -> modest.hidden(new AfterLayer(1), 0),
                "read AfterLayer[layers=1] of node 0, expected one of [AfterFinalNorm[]], which it asked for");
    }

    @Test
    void nothingIsReadableAfterTheCall() {
        modest.close();

        refused(() -> modest.logits(1), late("the logits"));
        refused(() -> modest.argmax(1), late("the argmax"));
        refused(() -> modest.hidden(ASKED, 1), late("the hidden state"));
    }

    private static String rejected(String what) {
        return "read %s of node 2, which was not accepted, expected readsRejectedNodes in its traits"
                .formatted(what);
    }

    private static String late(String what) {
        return "read %s of node 1 after the call that handed it over, expected a copy of its own"
                .formatted(what);
    }

    private static void refused(ThrowingCallable read, String problem) {
        assertThatThrownBy(read)
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CONTRACT_BROKEN: drafter 'Sample' in round 3 %s\n  This is a bug in the drafter: report it to its author."
                                .formatted(problem));
    }

    private static DeclaredReads declared(boolean readsRejected) {
        var verdict = new Verdict(List.of(1), 0, Origin.CORRECTION);
        return DeclaredReads.ofRound(
                SCORES, verdict, Set.of(ASKED), readsRejected, "drafter 'Sample' in round 3");
    }

    /// The most probable token of node n is n + 1.
    private static final class Scores implements TargetScores {
        private final float[][] logits = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
        private final float[][] states = {{.1f}, {.2f}, {.3f}};

        @Override
        public int vocabularySize() {
            return 4;
        }

        @Override
        public MemorySegment logits(int node) {
            return MemorySegment.ofArray(logits[node]);
        }

        @Override
        public int size() {
            return 3;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int node) {
            return MemorySegment.ofArray(states[node]);
        }

        @Override
        public void close() {}
    }
}
