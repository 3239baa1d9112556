package dev.outrider.drafter.medusa;

/// Where heads get their numbers: a checkpoint, or random ones of a given shape. Matrices are `[out, in]`, row-major; the
/// caller owns every array.
interface HeadWeights {
    /// Width of the target's hidden state, d.
    int hiddenSize();

    /// Number of logits of a head.
    int rows();

    /// Number of heads.
    int heads();

    /// Residual blocks of a head, at least 1.
    int layers();

    /// Whether the blocks have biases.
    boolean biased();

    /// Whose projection the heads use.
    Projection projection();

    /// A block's weight, `[d, d]`.
    float[] block(int head, int layer);

    /// A block's bias, `[d]`; only where [#biased].
    float[] bias(int head, int layer);

    /// A head's projection, `[rows, d]`; head 0 stands for all with [Projection#ONE]; none with [Projection#TARGET].
    float[] projection(int head);
}
