package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.sequence.Matrices.Stored;
import java.util.Optional;

/// Where Hydra's heads get their numbers: a checkpoint, or random ones of a given shape.
interface HydraWeights {
    /// Width of the target's hidden state, d.
    int hiddenSize();

    /// Number of a head's logits, V.
    int vocabulary();

    /// Number of heads.
    int heads();

    /// Blocks of a head, at least 1.
    int layers();

    /// The matrix of a block, `[d, d]`; of the first, `[d, (head + 2) d]`.
    Stored block(int head, int layer);

    /// The matrix beside the first block, `[d, (head + 2) d]`.
    Stored residual(int head);

    /// A head's own projection, `[V, d]`; none where heads use the target's.
    Optional<Stored> projection(int head);
}
