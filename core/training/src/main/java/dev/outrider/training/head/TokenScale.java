package dev.outrider.training.head;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.FrozenTarget;

/// Scales embeddings to the size of hidden states while heads learn. AdamW's steps have the same size for every weight, so a matrix
/// whose inputs are ten times smaller learns from them ten times slower. The finished head reads embeddings without scaling: the
/// scale is multiplied into its columns.
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

    /// Returns a matrix for embeddings without scaling, from a matrix whose columns from `first` on read scaled embeddings.
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
