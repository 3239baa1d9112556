package dev.outrider.nn.vector;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Positions.Relative;
import dev.outrider.nn.network.Positions.Sinusoidal;
import dev.outrider.nn.network.RowCache;
import dev.outrider.nn.network.Weight;
import java.util.Optional;

/// Vectors that are added to embeddings by their position. Thread-safe.
///
/// @param numbers `[positions, size]`
/// @param first   row of position 0
/// @param size    length of a vector
record PositionTable(float[] numbers, int first, int size) {
    /// Returns the table of a stack, if it has one.
    static Optional<PositionTable> of(DecoderConfig config, Weights weights) {
        return switch (config.form().positions()) {
            case Positions.Rotary _, Relative _ -> Optional.empty();
            case Positions.Learned(_, int offset) ->
                    weights.vector(Weight.POSITIONS, 0)
                            .map(rows -> new PositionTable(rows, offset, config.hiddenSize()));
            case Sinusoidal() ->
                    Optional.of(
                            new PositionTable(
                                    Sinusoidal.table(config.maxPositions(), config.hiddenSize()),
                                    0,
                                    config.hiddenSize()));
        };
    }

    /// Adds a position's vector.
    void add(int position, float[] x, int at) {
        VectorMath.add(x, at, numbers, (first + position) * size, size);
    }

    /// The bias that a head adds to its scores, depending on the distance of the key from the query. Thread-safe.
    ///
    /// @param numbers `[heads, 2 * reach + 1]`, by distances from `-reach` on
    /// @param reach   the distance from which on all distances have the same bias
    /// @see "Raffel et al. 2020 (T5), section 2.1"
    record RelativeBias(float[] numbers, int reach) {
        /// Returns the bias of every distance, which is that of its bucket.
        ///
        /// @param weights   `[buckets, heads]`
        /// @param bothSides whether keys are before and after a query, as in an encoder
        static RelativeBias of(
                Relative positions, float[] weights, int heads, int reach, boolean bothSides) {
            return new RelativeBias(positions.byDistance(weights, heads, reach, bothSides), reach);
        }

        /// Adds the bias to scores.
        ///
        /// @param scores   scores of a row by a head; the first one is at `at`
        /// @param position position of the row
        /// @param keys     cache with the positions of the keys
        void add(float[] scores, int at, int head, int position, RowCache keys, int seen) {
            int zero = head * (2 * reach + 1) + reach;
            for (int column = 0; column < seen; column++) {
                int distance = Math.clamp(keys.position(column) - (long) position, -reach, reach);
                scores[at + column] += numbers[zero + distance];
            }
        }
    }
}
