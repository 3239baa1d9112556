package dev.outrider.drafter.block;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import java.util.Optional;

/// The probability that a slot's guess is accepted, given the tokens before the slot: `sigmoid(w [h; e] + b)`, where h is the slot's
/// state and e, if the head reads it, the Markov head's embedding of the token before. It does not read the guess itself. Immutable.
///
/// @param weight `[hiddenSize]`; with e, the rank more
/// @see "Cheng et al. 2026 (DSpark), section 4"
@SuppressWarnings("ArrayRecordComponent")
record ConfidenceHead(float[] weight, float bias) {
    /// Reads the tensors.
    static ConfidenceHead read(CheckpointTensors tensors, BlockLayout layout) {
        int width =
                layout.config().hiddenSize()
                        + (layout.heads().confidenceReads()
                                ? layout.heads().markov().orElseThrow().rank()
                                : 0);
        return new ConfidenceHead(
                tensors.tensor(layout.confidence("weight"), 1, width).toFloats(),
                tensors.tensor(layout.confidence("bias"), 1).toFloats()[0]);
    }

    /// Returns the number of its parameters.
    long parameters() {
        return weight.length + 1L;
    }

    /// @param states   `[slots, hiddenSize]`
    /// @param slot     slot of the guess
    /// @param markov   the Markov head, if its embedding is read
    /// @param previous the token before the slot
    double acceptance(
            float[] states, int slot, int hiddenSize, Optional<MarkovHead> markov, int previous) {
        double sum = bias;
        for (int index = 0; index < hiddenSize; index++) {
            sum += (double) weight[index] * states[slot * hiddenSize + index];
        }
        if (weight.length > hiddenSize) {
            var embedding = new float[weight.length - hiddenSize];
            markov.orElseThrow().embed(previous, embedding, 0);
            for (int index = 0; index < embedding.length; index++) {
                sum += (double) weight[hiddenSize + index] * embedding[index];
            }
        }
        return MarkovHead.sigmoid(sum);
    }
}
