package dev.outrider.nn.vector;

import dev.outrider.nn.network.BlockForm.NormKind;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.vector.Matrix.Linear;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Joins embeddings and features for a draft layer. Confined to the pass.
///
/// @see "Li et al. 2024 (EAGLE), section 4.1; DeepSeek-AI 2024 (DeepSeek-V3), section 2.2"
final class Fusion {
    private final DecoderConfig config;
    private final FusionConfig fusion;
    private final Optional<Linear> join;
    private final Optional<Linear> reduction;
    private final List<Norm> capturedNorms;
    private final Optional<Norm> embeddingNorm;
    private final Optional<Norm> featureNorm;

    Fusion(DecoderConfig config, Weights weights) {
        this.config = config;
        fusion = config.fusion().orElseThrow();
        join = weights.linear(Weight.JOIN, Weight.JOIN_BIAS);
        reduction =
                weights.matrix(Weight.REDUCTION)
                        .map(matrix -> new Linear(matrix, Optional.empty()));
        capturedNorms = weights.vector(Weight.CAPTURED_NORM, 0).map(this::parts).orElse(List.of());
        embeddingNorm = weights.vector(Weight.EMBEDDING_NORM, 0).map(this::norm);
        featureNorm = weights.vector(Weight.FEATURE_NORM, 0).map(this::norm);
    }

    private Norm norm(float[] weight) {
        return new Norm(NormKind.RMS, weight, Optional.empty(), config.normEpsilon());
    }

    private List<Norm> parts(float[] weight) {
        if (fusion.capturedNorm() != FusionConfig.CapturedNorm.EACH) {
            return List.of(norm(weight));
        }
        int width = fusion.capturedWidth() / fusion.captured();
        return IntStream.range(0, fusion.captured())
                .mapToObj(
                        part -> norm(Arrays.copyOfRange(weight, part * width, (part + 1) * width)))
                .toList();
    }

    FusionConfig config() {
        return fusion;
    }

    /// Computes the stream's first rows.
    ///
    /// @param tokens embeddings
    /// @param given  features, one row for each
    void fuse(int rows, Rows tokens, FeatureRows given, Rows stream, Workspace workspace) {
        var feature = feature(rows, given, workspace);
        int size = config.hiddenSize();
        if (join.isEmpty()) {
            stream.shape(rows, size);
            for (int row = 0; row < rows; row++) {
                stream.copy(row, feature, row, size);
            }
            return;
        }
        boolean first = fusion.join() == FusionConfig.Join.FEATURE_FIRST;
        workspace.normed.shape(rows, 2 * size);
        for (int row = 0; row < rows; row++) {
            half(tokens, row, embeddingNorm, workspace.normed, first ? size : 0);
            half(feature, row, featureNorm, workspace.normed, first ? 0 : size);
        }
        workspace.input.take(
                workspace.normed.numbers(), 0, workspace.normed.stride(), rows, 2 * size);
        join.get().apply(workspace.input, rows, stream, workspace);
    }

    /// Computes the features from which layers compute keys and values.
    ///
    /// @param given features, one row for each
    /// @return memory of the workspace
    Rows context(int rows, FeatureRows given, Workspace workspace) {
        var features = feature(rows, given, workspace);
        featureNorm.ifPresent(norm -> {
            for (int row = 0; row < rows; row++) {
                norm.apply(features, row, config.hiddenSize());
            }
        });
        return features;
    }

    private void half(Rows from, int row, Optional<Norm> norm, Rows both, int at) {
        int size = config.hiddenSize();
        int to = both.at(row) + at;
        System.arraycopy(from.numbers(), from.at(row), both.numbers(), to, size);
        norm.ifPresent(each -> each.apply(both.numbers(), to, size, both.numbers(), to));
    }

    private Rows feature(int rows, FeatureRows given, Workspace workspace) {
        int width = Math.toIntExact(given.width());
        var features = workspace.features;
        features.shape(rows, width);
        MemorySegment.copy(
                given.memory(), ValueLayout.JAVA_FLOAT, 0, features.numbers(), 0, rows * width);
        if (given.source() == FeatureRows.Source.RECYCLED) {
            return features;
        }
        normalise(rows, features);
        if (reduction.isEmpty()) {
            return features;
        }
        workspace.input.take(features.numbers(), 0, width, rows, width);
        reduction.get().apply(workspace.input, rows, workspace.projected, workspace);
        return workspace.projected;
    }

    private void normalise(int rows, Rows features) {
        for (int row = 0; row < rows; row++) {
            for (int part = 0; part < capturedNorms.size(); part++) {
                int width = fusion.capturedWidth() / capturedNorms.size();
                int at = features.at(row) + part * width;
                capturedNorms
                        .get(part)
                        .apply(features.numbers(), at, width, features.numbers(), at);
            }
        }
    }

    /// Computes keys and values of every layer from a target's features. The features are computed once and do not pass through
    /// the layers. Confined to the pass.
    ///
    /// @see "Chen, Liang, Liu 2026 (DFlash), section 3: the context is injected into the draft's cache"
    static final class Context {
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

        /// Fills rows of a cache that are already in use.
        ///
        /// @param given     features, one row for each
        /// @param positions positions of the rows
        /// @param first     cache row of the first feature
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
                stream.copy(row, features, row, config.hiddenSize());
            }
            int width = config.keyValueHeads() * config.headSize();
            for (int number = 0; number < config.layers(); number++) {
                workspace.input.take(
                        stream.numbers(), 0, stream.stride(), rows, config.hiddenSize());
                var made = workspace.queries;
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
}
