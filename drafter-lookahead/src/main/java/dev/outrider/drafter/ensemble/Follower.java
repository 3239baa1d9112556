package dev.outrider.drafter.ensemble;

import dev.outrider.drafting.TokenReader;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Updates a session with a round's tokens that it did not guess, as plain decoding would: for each
/// token it is asked for a draft of no nodes and observes a verdict that accepts nothing and
/// continues with that token. So a drafter in an ensemble needs no further contract, and has the
/// same state as if nothing had been drafted. A session that depends on tokens alone is only told
/// the tokens, and reads them with its next draft (docs/decisions/0084).
///
/// @param verdict    the accepted path of the round's draft
/// @param emitted    the tokens that the round emits
/// @param scores     the target's scores of the draft
/// @param randomness the round's randomness
public record Follower(
        Verdict verdict, List<Integer> emitted, TargetScores scores, Randomness randomness) {
    private static final DraftBudget NOTHING = new DraftBudget(0, 0);

    /// Follows the round to its end.
    ///
    /// @param session  the session
    /// @param from     index of the first emitted token that it has not seen
    /// @param proposed a proposal of the session without guesses that no verdict was given for, if
    ///     any
    public void follow(DraftSession session, int from, Optional<Draft> proposed) {
        if (session instanceof TokenReader reader) {
            emitted.subList(from, emitted.size()).forEach(reader::note);
            return;
        }
        var open = proposed;
        for (int i = from; i < emitted.size(); i++) {
            var nothing = open.orElseGet(() -> session.propose(NOTHING, randomness));
            int node = i == 0 ? 0 : verdict.acceptedNodes().get(i - 1);
            boolean last = i == emitted.size() - 1;
            var origin = last ? verdict.origin() : Verdict.Origin.BONUS;
            session.observe(
                    nothing,
                    new Verdict(List.of(), emitted.get(i), origin),
                    new NodeScores(scores, node));
            open = Optional.empty();
        }
    }

    /// One node of a scored tree, as if it had been scored alone. Owns nothing.
    private record NodeScores(TargetScores scores, int node) implements TargetScores {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public int vocabularySize() {
            return scores.vocabularySize();
        }

        @Override
        public MemorySegment logits(int index) {
            return scores.logits(inTree(index));
        }

        @Override
        public int argmax(int index) {
            return scores.argmax(inTree(index));
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return scores.hidden(which, inTree(index));
        }

        private int inTree(int index) {
            return node + Objects.checkIndex(index, 1);
        }

        @Override
        public void close() {}
    }
}
