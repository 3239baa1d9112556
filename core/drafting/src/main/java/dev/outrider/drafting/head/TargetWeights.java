package dev.outrider.drafting.head;

import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.Function;

/// Embedding and language-model head of a target, for heads that read them. Thread-safe. Closing releases copies, not the
/// target's own.
public interface TargetWeights extends AutoCloseable {
    /// Embeddings of tokens, `[tokens.length, d]`.
    float[] embeddings(int[] tokens);

    /// Computes logits of rows.
    ///
    /// @param states `[rows, d]`
    /// @param logits receives `[rows, V]`
    void head(float[] states, int rows, float[] logits);

    @Override
    default void close() {}

    /// The weights of a target.
    ///
    /// @param drafter name, for messages
    /// @throws OutriderException `CAPABILITY_MISSING` if the target does not share them
    static TargetWeights of(String drafter, TargetModel target) {
        return of(drafter, target, weights -> VectorLinear.of(weights, Precision.F32));
    }

    /// The weights of a target, whose copied head a back end runs. That of a target in Java's vector code is not copied.
    ///
    /// @throws OutriderException as the other method
    static TargetWeights of(
            String drafter, TargetModel target, Function<LinearWeights, HeadPart> loader) {
        var network = target.capability(VectorNetwork.class);
        if (network.isPresent()) {
            return new Own(network.get());
        }
        return target.capability(SharedWeights.class)
                .<TargetWeights>map(shared -> Copied.of(shared, loader))
                .orElseThrow(() ->
                        ErrorCode.CAPABILITY_MISSING.error(
                                "drafter '%s' reads the embedding or head of its target, but target '%s' (%s) does not share them"
                                        .formatted(
                                                drafter,
                                                target.description().name(),
                                                target.description().backend()),
                                "Use a target that shares them, such as 'vector' or 'djl'."));
    }

    /// The weights of a target that runs in Java's vector code.
    record Own(VectorNetwork network) implements TargetWeights {
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

    /// The embedding of another target, without a copy, and a copy of its head.
    record Copied(SharedWeights shared, HeadPart linear) implements TargetWeights {
        static Copied of(SharedWeights shared, Function<LinearWeights, HeadPart> loader) {
            var head =
                    new LinearWeights(
                            "the target's head",
                            shared.head().toArray(ValueLayout.JAVA_FLOAT),
                            shared.vocabularySize(),
                            shared.hiddenSize(),
                            Optional.empty());
            return new Copied(shared, loader.apply(head));
        }

        @Override
        public float[] embeddings(int[] tokens) {
            int size = shared.hiddenSize();
            var rows = new float[tokens.length * size];
            for (int row = 0; row < tokens.length; row++) {
                long from = (long) tokens[row] * size * Float.BYTES;
                MemorySegment.copy(
                        shared.embedding(), ValueLayout.JAVA_FLOAT, from, rows, row * size, size);
            }
            return rows;
        }

        @Override
        public void head(float[] states, int rows, float[] logits) {
            linear.apply(states, rows, logits);
        }

        @Override
        public void close() {
            linear.close();
        }
    }
}
