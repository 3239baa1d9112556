package dev.outrider.spi.target;

import dev.outrider.spi.error.ErrorCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalDouble;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The target's logits and hidden states at every node of a draft, from one forward pass.
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

    /// {@return the token with the largest logit, the lowest id among equals} Back ends override this with
    /// a faster method.
    ///
    /// @param node index into the tree; `0 <= node < size()`
    /// @throws dev.outrider.spi.error.OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    default int argmax(int node) {
        var row = logits(node);
        int best = 0;
        float largest = row.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0);
        boolean number = !Float.isNaN(largest);
        for (int token = 1; token < vocabularySize() && number; token++) {
            float logit = row.get(ValueLayout.JAVA_FLOAT_UNALIGNED, (long) token * Float.BYTES);
            number = !Float.isNaN(logit);
            if (logit > largest || !number) {
                largest = logit;
                best = token;
            }
        }
        if (!Float.isFinite(largest)) {
            throw ErrorCode.CONTRACT_BROKEN.error(
                    "the largest logit is %s, expected a finite number".formatted(largest),
                    "Check the checkpoint for NaN weights, or choose a back end with a wider number format.");
        }
        return best;
    }

    /// {@return number of different experts that the rows of the pass used, as the mean over layers that have experts; empty for a target
    /// without experts or one that does not count them} The cost of verification grows with it. In a batch the rows are those of all
    /// sequences.
    default OptionalDouble activeExperts() {
        return OptionalDouble.empty();
    }
}
