package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.sequence.Matrices.Stored;
import java.util.Optional;

/// Where a recurrent head gets its numbers: a checkpoint, or random ones of a given shape.
interface RecurrentWeights {
    /// Width of the target's hidden state, d.
    int hiddenSize();

    /// Number of logits, V.
    int vocabulary();

    /// Blocks, at least 0.
    int layers();

    /// U, `[d, d]`, with the bias b; none where states are sums.
    Optional<Stored> state();

    /// W, `[d, d]`; none where states are sums.
    Optional<Stored> token();

    /// What brings hidden state and draft state to the width x that blocks read, `[x, 2 d]`; none where that is 2 d.
    Optional<Stored> input();

    /// The matrix of a block, `[x, x]`.
    Stored block(int layer);

    /// The head's own projection, `[V, x]`; none where it uses the target's.
    Optional<Stored> projection();
}
