package dev.outrider.nn.network;

import dev.outrider.nn.runtime.Tensor;
import dev.outrider.spi.target.HiddenState;

/// What a pass of the tensor engine reports, as the engine's own tensors too. They are inference tensors: whoever wants gradients
/// through them makes a copy.
public interface TensorResult extends PassResult {
    /// Logits of all rows that were asked for, `[rows, V]`, 32-bit. Owner: this object.
    ///
    /// @throws IllegalArgumentException if no logits were asked for
    Tensor logits();

    /// A hidden state of all rows, `[rows, hiddenSize]`, 32-bit. Owner: this object.
    ///
    /// @throws IllegalArgumentException if the state was not asked for
    Tensor hidden(HiddenState which);
}
