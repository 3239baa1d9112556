package dev.outrider.nn.target;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.MemorySegment;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/// One tree's rows of a pass.
final class PassScores implements TargetScores {
    private final SharedPass pass;
    private final int first;
    private final int[] rows;
    private final Set<HiddenState> states;
    private final int vocabularySize;
    private boolean closed;

    /// @param first the tree's first row
    /// @param rows  of each node, which row after the first it is
    PassScores(
            SharedPass pass, int first, int[] rows, Set<HiddenState> states, int vocabularySize) {
        this.pass = pass;
        this.first = first;
        this.rows = rows;
        this.states = states;
        this.vocabularySize = vocabularySize;
    }

    /// Scores of nodes that are the rows of a pass.
    static PassScores inOrder(
            SharedPass pass, int size, Set<HiddenState> states, int vocabularySize) {
        return new PassScores(pass, 0, IntStream.range(0, size).toArray(), states, vocabularySize);
    }

    @Override
    public int vocabularySize() {
        return vocabularySize;
    }

    @Override
    public MemorySegment logits(int node) {
        return pass.result().logits(row(node));
    }

    @Override
    public int argmax(int node) {
        return Distributions.argmax(logits(node), vocabularySize);
    }

    @Override
    public OptionalDouble activeExperts() {
        return pass.result().activeExperts();
    }

    @Override
    public int size() {
        return rows.length;
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        if (!states.contains(which)) {
            throw new IllegalArgumentException(
                    which + " was not asked for when the session was opened");
        }
        return pass.result().hidden(which, row(index));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            pass.release();
        }
    }

    private int row(int node) {
        if (closed) {
            throw new IllegalStateException("the scores are closed");
        }
        if (node < 0 || node >= rows.length) {
            throw new IndexOutOfBoundsException("node %d of %d".formatted(node, rows.length));
        }
        return first + rows[node];
    }
}
