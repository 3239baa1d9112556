package dev.outrider.nn.network;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorThread;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Embedding and head in the host's memory, for drafters beside a network that computes elsewhere. Thread-safe.
///
/// @param vocabularySize number of tokens V
/// @param hiddenSize     width of an embedding
/// @param embedding      `[V, hiddenSize]` 32-bit floats in native byte order; must outlive this object
/// @param headWeights    as `embedding`, which it may be
public record HostWeights(
        int vocabularySize, int hiddenSize, MemorySegment embedding, MemorySegment headWeights)
        implements SharedWeights {
    @Override
    public Tensor embed(int[] tokens, PtNDManager manager) {
        var rows = new float[tokens.length * hiddenSize];
        for (int row = 0; row < tokens.length; row++) {
            MemorySegment.copy(
                    embedding,
                    ValueLayout.JAVA_FLOAT,
                    (long) tokens[row] * hiddenSize * Float.BYTES,
                    rows,
                    row * hiddenSize,
                    hiddenSize);
        }
        return Tensor.of(manager.create(rows, new Shape(tokens.length, hiddenSize)));
    }

    @Override
    public Tensor head(Tensor hidden, PtNDManager manager) {
        TensorThread.enterInference();
        try (var weights = Tensor.ofFloats(manager, headWeights, vocabularySize, hiddenSize);
                var turned = weights.array().transpose()) {
            var logits = hidden.array().matMul(turned);
            logits.attach(manager);
            return Tensor.of(logits);
        }
    }
}
