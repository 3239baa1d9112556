package dev.outrider.spi.target;

import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.OptionalDouble;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What the target's one forward pass says about every node of a draft.
///
/// Confined to the session's thread; valid until closed, which must happen before the session's next pass.
@API(status = Status.STABLE, since = "2")
public interface TargetScores extends HiddenStates {
    /// {@return number of logits per node}
    int vocabularySize();

    /// {@return logits of the successors of one node}
    ///
    /// Shape: `[V]` 32-bit floats in native byte order, natural-log scale, no processor applied yet.
    /// Owner: this object.
    ///
    /// @param node index into the tree; `0 <= node < size()`
    /// @throws IndexOutOfBoundsException if there is no such node
    MemorySegment logits(int node);

    /// {@return the token with the largest logit, the lowest id among equals} Back ends that can find it without
    /// copying the row override this.
    ///
    /// @param node index into the tree; `0 <= node < size()`
    /// @throws dev.outrider.spi.error.OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    default int argmax(int node) {
        return SamplingPolicy.argmax().mode(logits(node), vocabularySize(), TokenHistory.empty());
    }

    /// {@return different experts that all rows of the pass woke, the mean over layers that have experts} Of a target without experts, or
    /// one that does not count them, nothing. What verification costs such a target grows with it. In a batch the rows are those of
    /// all sequences.
    default OptionalDouble wokenExperts() {
        return OptionalDouble.empty();
    }
}
