package dev.outrider.nn.vector;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.RopeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Features of a target as keys and values of every layer: the features are made once, and pass no layer. Confined to the pass.
///
/// @see "Chen, Liang, Liu 2026 (DFlash), section 3: the context is injected into the draft's cache"
final class Context {
    private final DecoderConfig config;
    private final Fusion fusion;
    private final List<Linear> keysAndValues = new ArrayList<>();

    Context(DecoderConfig config, Fusion fusion, Weights weights) {
        this.config = config;
        this.fusion = fusion;
        for (int layer = 0; layer < config.layers(); layer++) {
            keysAndValues.add(weights.keysAndValues(layer));
        }
    }

    /// Fills rows of a cache, which are in use already.
    ///
    /// @param given     features, a row each
    /// @param positions where they stand
    /// @param first     cache row of the first
    /// @param layers    their norms of keys
    /// @param ropes     angles by layer
    void keep(
            FeatureRows given,
            int[] positions,
            VectorCache cache,
            int first,
            List<Layer> layers,
            IntFunction<RopeTable> ropes,
            Workspace workspace) {
        int rows = positions.length;
        var features = fusion.context(rows, given, workspace);
        var stream = workspace.stream;
        stream.shape(rows, config.hiddenSize());
        for (int row = 0; row < rows; row++) {
            System.arraycopy(
                    features.numbers(),
                    features.at(row),
                    stream.numbers(),
                    stream.at(row),
                    config.hiddenSize());
        }
        int width = config.keyValueHeads() * config.headSize();
        for (int number = 0; number < config.layers(); number++) {
            workspace.input.take(stream.numbers(), 0, stream.stride(), rows, config.hiddenSize());
            var made = workspace.asked;
            keysAndValues.get(number).apply(workspace.input, rows, made, workspace);
            var queries = new Queries(config, ropes.apply(number), layers.get(number), false);
            for (int row = 0; row < rows; row++) {
                for (int head = 0; head < config.keyValueHeads(); head++) {
                    queries.keep(
                            made.numbers(),
                            made.at(row),
                            made.at(row) + width,
                            positions[row],
                            cache,
                            first + row,
                            number,
                            head);
                }
            }
        }
    }
}
