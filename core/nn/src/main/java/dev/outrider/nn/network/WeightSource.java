package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;

/// Where a network gets its weights: a checkpoint, or random numbers of a given shape.
public interface WeightSource {
    /// Reads one weight.
    ///
    /// @param weight  a weight the configuration has
    /// @param layer   counts from 0; 0 for weights that are not per layer
    /// @param type    the element type wanted
    /// @param manager owner of the result
    /// @return a contiguous tensor of shape [Weight#shape]; the caller closes it
    Tensor load(Weight weight, int layer, ElementType type, PtNDManager manager);
}
