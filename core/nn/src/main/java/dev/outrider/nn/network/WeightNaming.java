package dev.outrider.nn.network;

import java.util.List;

/// What a checkpoint calls the weights of a decoder.
public interface WeightNaming {
    /// The tensors a weight is made of, stacked along their first dimension; all have the same shape. Empty for
    /// a weight that the layout has no name for.
    ///
    /// @param layer counts from 0; 0 for weights that are not per layer
    List<String> names(Weight weight, int layer);
}
