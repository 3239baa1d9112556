package dev.outrider.engine.check;

/// What can be promised about the output of a pairing.
public enum Losslessness {
    /// Sampled output follows the target's distribution exactly.
    LOSSLESS_IN_DISTRIBUTION,
    /// Argmax output equals plain decoding token by token, up to rounding in the target's passes, which a target whose rows do not
    /// depend on their company has none of.
    GREEDY_EQUAL,
    /// The same hypotheses and scores as plain beam search of the same settings, up to rounding in the target's passes.
    BEAM_EQUAL,
    /// The output is not the target's; somebody asked for that.
    LOSSY
}
