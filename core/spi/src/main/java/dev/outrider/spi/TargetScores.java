package dev.outrider.spi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

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
    default int argmax(int node) {
        var row = logits(node);
        int best = 0;
        float bestLogit = row.getAtIndex(ValueLayout.JAVA_FLOAT, 0);
        for (int token = 1; token < vocabularySize(); token++) {
            float logit = row.getAtIndex(ValueLayout.JAVA_FLOAT, token);
            if (logit > bestLogit) {
                bestLogit = logit;
                best = token;
            }
        }
        return best;
    }
}
