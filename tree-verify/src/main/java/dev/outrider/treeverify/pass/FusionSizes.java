package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.pass.ProgramShape.DeviceMatrix;
import java.util.Optional;

/// Sizes and matrices of a draft layer's input in a device's program; no matrices, and 0, without a draft layer.
///
/// @param shape the program's
public record FusionSizes(ProgramShape shape) {
    /// Returns the matrix that makes a feature from captured states, `[hidden, captured * t]`, if a draft layer has it.
    public Optional<DeviceMatrix> reduction() {
        return matrix("the reduction", Weight.REDUCTION);
    }

    /// Returns the matrix that joins embedding and feature, `[hidden, 2 * hidden]`, if a draft layer has it.
    public Optional<DeviceMatrix> join() {
        return matrix("the join", Weight.JOIN);
    }

    private Optional<DeviceMatrix> matrix(String name, Weight weight) {
        return weight.present(shape.config())
                ? Optional.of(shape.matrix(name, weight, shape.config().hiddenSize(), 0))
                : Optional.empty();
    }

    /// Returns the maximum numbers of a row's feature, which is the target's or a state of the draft layer; 0 for decoders.
    public int featureWidth() {
        return shape.config()
                .fusion()
                .map(each -> Math.max(each.capturedWidth(), shape.config().hiddenSize()))
                .orElse(0);
    }

    /// Returns whether features are keys and values before the rows.
    public boolean context() {
        return shape.config().fusion().filter(each -> each.join() == Join.CONTEXT).isPresent();
    }

    /// Returns whether a layer's attention reads the embedding beside the stream.
    public boolean wide(int layer) {
        return shape.config().fusion().filter(each -> each.wide(layer)).isPresent();
    }

    /// Norms of a draft layer's input, in their order behind the decoder's norms.
    public enum FusionNorm {
        /// Of the embedding before a projected join.
        EMBEDDING,
        /// Of the feature before a projected join.
        FEATURE,
        /// Of the stream's half of a wide layer's input, one for each layer.
        STREAM,
        /// Of all captured states of a row.
        CAPTURED
    }

    /// Returns the start of a norm of a draft layer's input.
    public int norm(FusionNorm which, int layer) {
        var config = shape.config();
        int before =
                switch (which) {
                    case EMBEDDING -> 0;
                    case FEATURE -> 1;
                    case STREAM -> 2 + layer;
                    case CAPTURED -> 2 + config.layers();
                };
        return shape.norm(config.layers(), 0) + shape.normSize() + before * config.hiddenSize();
    }
}
