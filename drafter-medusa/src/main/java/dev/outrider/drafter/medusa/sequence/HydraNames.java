package dev.outrider.drafter.medusa.sequence;

/// Tensor names of Hydra's published checkpoints, which is also how heads trained here are stored.
final class HydraNames {
    private HydraNames() {}

    /// The linear layer of a block, without `.weight` or `.bias`.
    static String block(int head, int layer) {
        return "hydra_mlp.%d.%d.linear".formatted(head, layer);
    }

    /// The matrix beside the first block, which brings hidden state and embeddings to the hidden size; without `.weight` or
    /// `.bias`.
    static String residual(int head) {
        return "hydra_mlp.%d.0.res_connection".formatted(head);
    }

    /// A head's own vocabulary projection, without `.weight` or `.bias`.
    static String projection(int head) {
        return "hydra_lm_head.%d".formatted(head);
    }
}
