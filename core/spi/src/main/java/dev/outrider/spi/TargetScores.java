package dev.outrider.spi;

import java.lang.foreign.MemorySegment;

/// What the target's one forward pass says about every node of a draft.
///
/// Confined to the session's thread; valid until closed, which must happen before the session's next pass.
public interface TargetScores extends HiddenStates {
    /// Number of logits per node.
    int vocabularySize();

    /// Logits of the successors of one node.
    ///
    /// Shape: `[V]` 32-bit floats in native byte order, natural-log scale, no processor applied yet.
    /// Owner: this object.
    ///
    /// @throws IndexOutOfBoundsException if there is no such node
    MemorySegment logits(int node);

    /// The token with the largest logit, the lowest id among equals. Back ends that can find it without
    /// copying the row override this.
    ///
    /// @throws OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    default int argmax(int node) {
        return Logits.argmax(logits(node), vocabularySize());
    }
}
