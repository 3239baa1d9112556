package dev.outrider.training.head;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.FrozenTarget;

/// Embeddings brought to the size of hidden states while heads learn. AdamW's steps are as large for every weight, so a matrix
/// that reads numbers a tenth as large learns from them a tenth as fast. What is finished reads embeddings as they are: its columns
/// have the scale in them.
public final class TokenScale {
    private TokenScale() {}

    /// Returns the size of the target's hidden states over that of its embeddings, as root mean squares.
    public static double of(FrozenTarget target) {
        try (var manager = TensorRuntime.newManager()) {
            double embedding = HeadParameters.size(target.weight(Weight.EMBEDDING, 0, manager));
            return embedding > 0
                    ? HeadParameters.size(target.weight(Weight.FINAL_NORM, 0, manager)) / embedding
                    : 1;
        }
    }

    /// Returns the target's embeddings at the size of its hidden states, `[V, d]`.
    ///
    /// @param manager owner of the result
    public static NDArray embeddings(FrozenTarget target, PtNDManager manager) {
        var stored = target.weight(Weight.EMBEDDING, 0, manager);
        var values = stored.toFloatArray();
        double scale = of(target);
        for (int i = 0; i < values.length; i++) {
            values[i] *= (float) scale;
        }
        return manager.create(values, stored.getShape());
    }

    /// Returns a matrix that read scaled embeddings in its columns from `first` on, for embeddings as they are.
    ///
    /// @param matrix `[rows, columns]`
    public static float[] folded(float[] matrix, int columns, int first, double scale) {
        var folded = matrix.clone();
        for (int i = 0; i < folded.length; i++) {
            if (i % columns >= first) {
                folded[i] *= (float) scale;
            }
        }
        return folded;
    }
}
