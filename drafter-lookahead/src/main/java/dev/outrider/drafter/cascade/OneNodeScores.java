package dev.outrider.drafter.cascade;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// One node of a scored tree as if it had been scored alone, as the root of an empty draft. Owns nothing.
///
/// @param scores scores of the whole tree
/// @param node   the node that is shown as node 0
record OneNodeScores(TargetScores scores, int node) implements TargetScores {
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
        return scores.logits(shown(index));
    }

    @Override
    public int argmax(int index) {
        return scores.argmax(shown(index));
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        return scores.hidden(which, shown(index));
    }

    @Override
    public void close() {}

    private int shown(int index) {
        Objects.checkIndex(index, 1);
        return node;
    }
}
