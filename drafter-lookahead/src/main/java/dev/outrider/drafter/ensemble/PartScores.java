package dev.outrider.drafter.ensemble;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Some nodes of a scored tree, as if they had been scored alone. Owns nothing.
///
/// @param scores scores of the whole tree
/// @param nodes  the visible nodes, in the order of their new indices
public record PartScores(TargetScores scores, List<Integer> nodes) implements TargetScores {
    /// Copies the nodes.
    public PartScores {
        nodes = List.copyOf(nodes);
    }

    @Override
    public int size() {
        return nodes.size();
    }

    @Override
    public int vocabularySize() {
        return scores.vocabularySize();
    }

    @Override
    public MemorySegment logits(int index) {
        return scores.logits(nodes.get(index));
    }

    @Override
    public int argmax(int index) {
        return scores.argmax(nodes.get(index));
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        return scores.hidden(which, nodes.get(index));
    }

    @Override
    public void close() {}
}
