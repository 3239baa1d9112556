package dev.outrider.drafter.medusa.sequence;

/// Tensor names of ReDrafter's published checkpoints, which is also how heads trained here are stored.
final class RedrafterNames {
    /// Brings hidden state and draft state to the width that the blocks read, where that is another; without `.weight` or `.bias`.
    static final String INPUT = "input_proj";

    /// What the draft state is multiplied with, without `.weight` or `.bias`.
    static final String STATE = "rnn_u";

    /// What an embedding is multiplied with; it has no bias.
    static final String TOKEN = "rnn_w.weight";

    private RedrafterNames() {}

    /// The linear layer of a block, without `.weight` or `.bias`.
    static String block(int layer) {
        return "lm_head.%d.linear".formatted(layer);
    }

    /// The head's own vocabulary projection, which stands after its blocks.
    static String projection(int layers) {
        return "lm_head.%d.weight".formatted(layers);
    }
}
