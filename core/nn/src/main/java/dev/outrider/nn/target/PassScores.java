package dev.outrider.nn.target;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.nn.network.PassResult;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/// One tree's rows of a pass, and the states of a prompt.
final class PassScores implements TargetScores {
    private final SharedPass pass;
    private final int first;
    private final int[] rows;
    private final Set<HiddenState> states;
    private final int vocabularySize;
    private boolean closed;

    /// @param first the tree's first row
    /// @param rows  for each node, its row, counted from the first
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

    /// One pass's result, shared by several sessions; released with the last of them. Confined to one thread.
    static final class SharedPass {
        private final PassResult result;
        private int holders;

        SharedPass(PassResult result, int holders) {
            this.result = result;
            this.holders = holders;
        }

        PassResult result() {
            return result;
        }

        void release() {
            holders--;
            if (holders == 0) {
                result.close();
            }
        }
    }

    /// Hidden states of a prompt that went through the network in several passes.
    ///
    /// @param passes      in order; all but the last have `rowsPerPass` rows; owned from now on
    record PrefillStates(List<PassResult> passes, int rowsPerPass, int size)
            implements HiddenStates {
        PrefillStates {
            passes = List.copyOf(passes);
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            if (index < 0 || index >= size) {
                throw new IndexOutOfBoundsException("token %d of %d".formatted(index, size));
            }
            return passes.get(index / rowsPerPass).hidden(which, index % rowsPerPass);
        }

        @Override
        public void close() {
            passes.forEach(PassResult::close);
        }
    }
}
