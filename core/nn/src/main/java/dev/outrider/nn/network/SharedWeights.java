package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.Tensor;

/// The two weights of a decoder that drafters borrow: the embedding and the language-model head. Thread-safe; calls
/// are serialised with the network's passes.
public interface SharedWeights {
    /// Width of an embedding and of the head's input.
    int hiddenSize();

    /// Number of tokens.
    int vocabularySize();

    /// Embeddings of tokens, shape `[tokens.length, hiddenSize()]`, 32-bit floats.
    ///
    /// @param manager owner of the result
    Tensor embed(int[] tokens, PtNDManager manager);

    /// Logits of hidden states that have passed the final norm.
    ///
    /// @param hidden  shape `[n, hiddenSize()]`, 32-bit floats
    /// @param manager owner of the result
    /// @return shape `[n, vocabularySize()]`, 32-bit floats
    Tensor head(Tensor hidden, PtNDManager manager);
}
