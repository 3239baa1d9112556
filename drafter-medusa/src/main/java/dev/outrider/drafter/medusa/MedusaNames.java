package dev.outrider.drafter.medusa;

/// Tensor names of the original checkpoints, which is also how heads trained here are stored.
final class MedusaNames {
    private MedusaNames() {}

    /// The linear layer of a residual block, without `.weight` or `.bias`.
    static String block(int head, int layer) {
        return "%d.%d.linear".formatted(head, layer);
    }

    /// A head's own vocabulary projection, which stands after its blocks.
    static String projection(int head, int layers) {
        return "%d.%d.weight".formatted(head, layers);
    }
}
