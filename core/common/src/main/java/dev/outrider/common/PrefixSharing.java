package dev.outrider.common;

import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// Reads a prompt once for all sequences that begin with it. A target offers it by [dev.outrider.spi.target.TargetModel#capability].
///
/// Only time changes: cache rows and hidden states are those that the sequence's own prefill would give, to the last bit.
@FunctionalInterface
public interface PrefixSharing {
    /// Starts to share. Until the result is closed, the first [dev.outrider.spi.target.TargetSession#prefill] of every session of
    /// the target copies the longest prefix that it has in common with a kept prompt, unless the session asks for a hidden state
    /// that is not kept, and reads the rest.
    ///
    /// @param bytes  most memory of kept prompts, at least 0; less if little is free. The prompt that was used longest ago is
    ///               dropped first
    /// @param states hidden states that are kept with them
    /// @return an empty store; the caller closes it before the target
    KeptPrompts keep(long bytes, Set<HiddenState> states);

    /// The result of the request to keep a prompt.
    enum Reading {
        /// It was read now, and is kept.
        READ,
        /// It was kept already.
        KNOWN,
        /// It is not kept: it is empty, or larger than the allowed or the free memory. Sequences read it themselves.
        REFUSED
    }

    /// Prompts that a target has read. Thread-safe.
    interface KeptPrompts extends AutoCloseable {
        /// Reads a whole prompt from its first token and keeps it, unless it is kept already. Rows of other kept prompts are
        /// neither copied nor dropped because of a common prefix: reading takes as long as in a separate sequence.
        ///
        /// @param tokens as for [dev.outrider.spi.target.TargetSession#prefill]
        /// @return whether it was read, was kept already, or is not kept
        /// @throws dev.outrider.spi.error.OutriderException as [dev.outrider.spi.target.TargetModel#open] and [dev.outrider.spi.target.TargetSession#prefill]
        Reading read(int[] tokens);

        /// Reads the next part of a prompt and keeps it. Sequences begin with the part that has been read. Rows of another kept
        /// prompt are not read again, and a prompt that is a prefix of another one is dropped when that one has been read. A prompt
        /// that has been read in part makes no room for another one until [#abandon].
        ///
        /// @param tokens the whole prompt, the same in every call
        /// @param most   most tokens to read; 0 only asks
        /// @return number of its first tokens that are kept now; unchanged if no more can be kept
        /// @throws dev.outrider.spi.error.OutriderException as [#read(int[])]
        int read(int[] tokens, int most);

        /// Drops a prompt that is not read to its end. Does nothing to a complete one.
        ///
        /// @param tokens as those of [#read(int[], int)]
        void abandon(int[] tokens);

        /// {@return bytes of the prompts that are kept now}
        long bytes();

        /// Drops all prompts. Sequences that began with one are not affected. Idempotent.
        @Override
        void close();
    }
}
