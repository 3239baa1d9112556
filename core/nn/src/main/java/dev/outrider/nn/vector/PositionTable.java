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
    private static final double BASE = 10_000;

    /// The table of a stack that has one.
    static Optional<PositionTable> of(DecoderConfig config, Weights weights) {
        return switch (config.form().positions()) {
            case Positions.Rotary _, Positions.Relative _ -> Optional.empty();
            case Positions.Learned(_, int offset) ->
                    weights.vector(Weight.POSITIONS, 0)
                            .map(rows -> new PositionTable(rows, offset, config.hiddenSize()));
            case Positions.Sinusoidal() ->
                    Optional.of(sines(config.maxPositions(), config.hiddenSize()));
        };
    }

    /// Sines in the first half, cosines in the second.
    private static PositionTable sines(int positions, int size) {
        var numbers = new float[Math.multiplyExact(positions, size)];
        int half = size / 2;
        for (int position = 0; position < positions; position++) {
            for (int pair = 0; pair < half; pair++) {
                double angle = position / Math.pow(BASE, 2.0 * pair / size);
                numbers[position * size + pair] = (float) StrictMath.sin(angle);
                numbers[position * size + half + pair] = (float) StrictMath.cos(angle);
            }
        }
        return new PositionTable(numbers, 0, size);
    }

    /// Adds a position's vector.
    void add(int position, float[] x, int at) {
        VectorMath.add(x, at, numbers, (first + position) * size, size);
    }
}
