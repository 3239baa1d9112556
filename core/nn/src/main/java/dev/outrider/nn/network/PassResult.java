package dev.outrider.nn.network;

import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.util.OptionalDouble;

/// The outputs of a pass. Row numbers continue through all blocks in order.
///
/// Confined to one thread; valid until closed.
public interface PassResult extends AutoCloseable {
    /// Returns the number of rows of the pass.
    int rows();

    /// Returns the logits of one row, shape `[V]`, 32-bit floats in native byte order. Owner: this object.
    ///
    /// @throws IllegalArgumentException if logits of the row were not asked for
    MemorySegment logits(int row);

    /// Returns a hidden state of one row, shape `[hiddenSize]`, 32-bit floats in native byte order. Owner: this object.
    ///
    /// @throws IllegalArgumentException if the state was not asked for
    MemorySegment hidden(HiddenState which, int row);

    /// Returns the number of different experts that the rows of the pass activated, the mean over layers that have any; empty if
    /// the network has none or does not count them.
    default OptionalDouble activeExperts() {
        return OptionalDouble.empty();
    }

    /// Releases native memory. Idempotent.
    @Override
    void close();
}
