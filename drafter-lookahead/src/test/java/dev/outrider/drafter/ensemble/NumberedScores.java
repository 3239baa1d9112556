package dev.outrider.drafter.ensemble;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.MemorySegment;

/// Scores whose argmax at a node is the node's index.
public record NumberedScores(int size) implements TargetScores {
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
        throw new AssertionError("nothing reads logits here");
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        throw new AssertionError("nothing reads hidden states here");
    }

    @Override
    public void close() {}
}
