package dev.outrider.nn.network;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A loaded part of a head without decoder layers, from one matrix to a whole head. Thread-safe: runs are serialised.
public interface HeadPart extends AutoCloseable {
    /// Computes rows.
    ///
    /// @param x `[rows, columns of the first matrix]`
    /// @param y receives `[rows, rows of the last matrix]`
    void apply(float[] x, int rows, float[] y);

    /// Waits for a running call, then releases the weights. Idempotent.
    @Override
    void close();

    /// The weights of a part. It has a block or a projection.
    ///
    /// @param blocks     W and b of `x + SiLU(W x + b)`, in their order
    /// @param residual   R and r, if the first block is `R x + r + SiLU(W x + b)`
    /// @param projection of the blocks' result
    record Weights(
            List<LinearWeights> blocks,
            Optional<LinearWeights> residual,
            Optional<LinearWeights> projection) {
        /// Returns a matrix alone.
        public static Weights of(LinearWeights matrix) {
            return new Weights(List.of(), Optional.empty(), Optional.of(matrix));
        }

        /// Returns all matrices.
        public List<LinearWeights> matrices() {
            return Stream.of(blocks, residual.stream().toList(), projection.stream().toList())
                    .flatMap(List::stream)
                    .toList();
        }
    }
}
