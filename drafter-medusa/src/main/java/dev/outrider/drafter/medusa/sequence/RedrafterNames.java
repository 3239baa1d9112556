package dev.outrider.drafter.medusa.sequence;

/// Names of the tensors of ReDrafter's authors.
final class RedrafterNames {
    /// Brings hidden state and draft state to the width that the blocks read, where that is another; without `.weight` or
    /// `.bias`.
    static final String INPUT = "input_proj";

    /// Multiplies the draft state; without `.weight` or `.bias`.
    static final String STATE = "rnn_u";

    /// Multiplies an embedding; without `.weight`, and without a bias.
    static final String TOKEN = "rnn_w";

    private RedrafterNames() {}

    /// Returns the name of the linear layer of a block, without `.weight` or `.bias`.
    static String blockName(int layer) {
        return "lm_head.%d.linear".formatted(layer);
    }

    /// Returns the name of the head's own vocabulary projection, which follows its blocks; without `.weight`.
    static String projectionName(int layers) {
        return "lm_head.%d".formatted(layers);
    }
}
