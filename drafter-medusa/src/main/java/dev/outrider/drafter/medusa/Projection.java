package dev.outrider.drafter.medusa;

/// Where a set of heads gets its logits from.
enum Projection {
    /// Every head has a matrix of its own (the first checkpoints).
    PER_HEAD,
    /// One matrix in the checkpoint serves all heads.
    ONE,
    /// The target's language-model head serves all heads (second version).
    TARGET
}
