package dev.outrider.nn.vector;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Weight;
import java.util.Optional;

/// Vectors that are added to embeddings by their position. Thread-safe.
///
/// @param numbers `[positions, size]`
/// @param first   row of position 0
/// @param size    of a vector
record PositionTable(float[] numbers, int first, int size) {
    /// The table of a stack that has one.
    static Optional<PositionTable> of(DecoderConfig config, Weights weights) {
        return switch (config.form().positions()) {
            case Positions.Rotary _, Positions.Relative _ -> Optional.empty();
            case Positions.Learned(_, int offset) ->
                    weights.vector(Weight.POSITIONS, 0)
                            .map(rows -> new PositionTable(rows, offset, config.hiddenSize()));
            case Positions.Sinusoidal() ->
                    Optional.of(
                            new PositionTable(
                                    Positions.Sinusoidal.table(
                                            config.maxPositions(), config.hiddenSize()),
                                    0,
                                    config.hiddenSize()));
        };
    }

    /// Adds a position's vector.
    void add(int position, float[] x, int at) {
        VectorMath.add(x, at, numbers, (first + position) * size, size);
    }
}
