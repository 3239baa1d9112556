package dev.outrider.engine.check;

import static dev.outrider.engine.check.Contract.require;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/// Scores of which a drafter may read what it declares: those of the root and of the accepted nodes, and those
/// of other nodes only if its traits say so.
final class DeclaredScores extends DeclaredStates implements TargetScores {
    private final TargetScores scores;
    private final Set<Integer> accepted;
    private final boolean readsRejected;

    /// @param readsRejected whether nodes that were not accepted may be read
    DeclaredScores(
            TargetScores scores,
            Verdict verdict,
            Set<HiddenState> declared,
            boolean readsRejected,
            String reader) {
        super(scores, declared, reader);
        this.scores = scores;
        this.accepted = new HashSet<>(verdict.acceptedNodes());
        this.accepted.add(0);
        this.readsRejected = readsRejected;
    }

    @Override
    public int vocabularySize() {
        return scores.vocabularySize();
    }

    @Override
    public MemorySegment logits(int node) {
        requireReadable(node, "the logits");
        return scores.logits(node);
    }

    @Override
    public int argmax(int node) {
        requireReadable(node, "the argmax");
        return scores.argmax(node);
    }

    @Override
    void requireReadable(int node, String what) {
        super.requireReadable(node, what);
        require(
                readsRejected || accepted.contains(node),
                reader(),
                "read %s of node %d, which was not accepted, expected readsRejectedNodes in its traits",
                what,
                node);
    }
}
