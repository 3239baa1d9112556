package dev.outrider.training;

import dev.outrider.nn.network.Experts;

/// Experts in place of a decoder's feed-forward layers.
///
/// @param experts         of each layer
/// @param chosen          how many a row wakes
/// @param feedForwardSize inner width of an expert
/// @param balance         weight of the loss that keeps experts equally busy; 0 leaves it out
/// @see "Fedus et al. 2022 (Switch Transformers), equations 4 to 6"
public record MixtureShape(int experts, int chosen, int feedForwardSize, double balance) {
    public MixtureShape {
        DecoderShape.requirePositive("experts", experts);
        DecoderShape.requirePositive("chosen", chosen);
        DecoderShape.requirePositive("feedForwardSize", feedForwardSize);
        if (chosen > experts) {
            throw new IllegalArgumentException(
                    "chosen (%d) exceeds experts (%d)".formatted(chosen, experts));
        }
        if (!(balance >= 0) || Double.isInfinite(balance)) {
            throw new IllegalArgumentException(
                    "balance (%s) may not be negative".formatted(balance));
        }
    }

    Experts layers() {
        return new Experts(experts, chosen, feedForwardSize);
    }
}
