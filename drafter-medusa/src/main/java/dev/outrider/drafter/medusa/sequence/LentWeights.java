package dev.outrider.drafter.medusa.sequence;

import ai.djl.ndarray.types.Shape;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;

/// Embedding and language-model head of a target, which heads borrow. Thread-safe; closed with the target.
interface LentWeights {
    /// Embeddings of tokens, `[tokens.length, d]`.
    float[] embeddings(int[] tokens);

    /// Logits of rows.
    ///
    /// @param states `[rows, d]`
    /// @param logits gets `[rows, V]`
    void head(float[] states, int rows, float[] logits);

    /// What a target lends.
    ///
    /// @param drafter name, for messages
    /// @throws OutriderException `CAPABILITY_MISSING` if it lends nothing
    static LentWeights of(String drafter, TargetModel target) {
        var network = target.capability(VectorNetwork.class);
        if (network.isPresent()) {
            return new OfVectors(network.get());
        }
        return new OfTensors(
                target.capability(SharedWeights.class)
                        .orElseThrow(() ->
                                new OutriderException(
                                        ErrorCode.CAPABILITY_MISSING,
                                        "drafter '%s' reads the embeddings of its target, but target '%s' (%s) does not lend them"
                                                .formatted(
                                                        drafter,
                                                        target.description().name(),
                                                        target.description().backend()),
                                        "Use a target that lends them, such as 'vector' or 'djl'.")));
    }

    /// Of a target that Java's vector code runs.
    record OfVectors(VectorNetwork network) implements LentWeights {
        @Override
        public float[] embeddings(int[] tokens) {
            int size = network.config().hiddenSize();
            var rows = new float[tokens.length * size];
            for (int row = 0; row < tokens.length; row++) {
                network.embedding(tokens[row], rows, row * size);
            }
            return rows;
        }

        @Override
        public void head(float[] states, int rows, float[] logits) {
            network.head(states, rows, logits);
        }
    }

    /// Of a target of the tensor engine.
    record OfTensors(SharedWeights shared) implements LentWeights {
        @Override
        public float[] embeddings(int[] tokens) {
            TensorThread.enterInference();
            try (var scratch = TensorRuntime.newManager()) {
                return shared.embed(tokens, scratch).array().toFloatArray();
            }
        }

        @Override
        public void head(float[] states, int rows, float[] logits) {
            TensorThread.enterInference();
            try (var scratch = TensorRuntime.newManager()) {
                var shape = new Shape(rows, shared.hiddenSize());
                var input = Tensor.of(scratch.create(states, shape));
                float[] found = shared.head(input, scratch).array().toFloatArray();
                System.arraycopy(found, 0, logits, 0, found.length);
            }
        }
    }
}
