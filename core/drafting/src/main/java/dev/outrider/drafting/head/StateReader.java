package dev.outrider.drafting.head;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/// Computes the state that heads read from the target's states of one sequence. Confined to one thread.
public interface StateReader extends AutoCloseable {
    /// Takes the states of the next committed position.
    ///
    /// @param states valid during the call
    /// @param index  of the position within `states`
    /// @param next   the token after that position
    void read(HiddenStates states, int index, int next);

    /// Returns the state of the position before the root, `[d]`, valid until more is read; empty if there is none, and then nothing
    /// is guessed.
    Optional<float[]> state();

    @Override
    default void close() {}

    /// Makes readers. Thread-safe.
    @FunctionalInterface
    interface Factory extends AutoCloseable {
        /// Returns a reader of the target's states of a new sequence.
        ///
        /// @param capacity greatest number of tokens of the sequence
        StateReader reader(int capacity);

        /// Releases the resources that readers share.
        @Override
        default void close() {}
    }

    /// Returns a reader of the target's state after the final norm. A prompt of one token has no such state before its first pass.
    static StateReader ofLast() {
        return new StateReader() {
            private Optional<float[]> state = Optional.empty();

            @Override
            public void read(HiddenStates states, int index, int next) {
                var last = states.hidden(new HiddenState.AfterFinalNorm(), index);
                int size = Math.toIntExact(last.byteSize() / Float.BYTES);
                float[] kept = state.orElseGet(() -> new float[size]);
                MemorySegment.copy(last, ValueLayout.JAVA_FLOAT, 0, kept, 0, size);
                state = Optional.of(kept);
            }

            @Override
            public Optional<float[]> state() {
                return state;
            }
        };
    }
}
