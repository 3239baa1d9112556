package dev.outrider.spi.target;

import java.lang.foreign.MemorySegment;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The target's hidden states for a run of tokens or the nodes of a tree.
///
/// Confined to the session's thread; native memory is released by [#close()].
@API(status = Status.STABLE, since = "2")
public interface HiddenStates extends AutoCloseable {
    /// {@return number of tokens or nodes}
    int size();

    /// {@return one hidden state}
    ///
    /// Shape: `[hiddenSize]` 32-bit floats in native byte order. Owner: this object.
    ///
    /// @param which a state that was requested when the session was opened
    /// @param index token or node; `0 <= index < size()`
    /// @throws IndexOutOfBoundsException if there is no such token
    /// @throws IllegalArgumentException  if the state was not requested
    MemorySegment hidden(HiddenState which, int index);

    /// Releases native memory. Idempotent.
    @Override
    void close();
}
