package dev.outrider.common;

import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// Reads a prompt once for all sequences that begin with it. A target offers it by [dev.outrider.spi.target.TargetModel#capability].
///
/// Only time changes: cache rows and hidden states are those that the sequence's own prefill would give, to the last bit.
@FunctionalInterface
public interface PrefixSharing {
    /// Starts to share. Until what is returned is closed, the first [dev.outrider.spi.target.TargetSession#prefill] of every session of the target takes over the
    /// longest beginning that it has in common with a kept prompt, unless the session asks for a hidden state that is not kept, and reads
    /// the rest.
    ///
    /// @param bytes  most memory of kept prompts, at least 0, less where little is free; the one that was used longest ago goes first
    /// @param states hidden states that are kept with them
    /// @return no prompts yet; the caller closes it before the target
    KeptPrompts keep(long bytes, Set<HiddenState> states);

    /// The result of the request to keep a prompt.
    enum Reading {
        /// It was read now, and is kept.
        READ,
        /// It was kept already.
        KNOWN,
        /// It is not kept: it is empty, or larger than all memory there may be or is. Sequences read it for themselves.
        REFUSED
    }

    /// Prompts that a target has read. Thread-safe.
    interface KeptPrompts extends AutoCloseable {
        /// Reads a whole prompt from its first token and keeps it, unless it is kept already. What is kept of other prompts is neither taken over
        /// nor forgotten for what they have in common: reading takes as long as in a sequence of its own.
        ///
        /// @param tokens as [dev.outrider.spi.target.TargetSession#prefill] takes them
        /// @return whether it was read, was kept already, or is not kept
        /// @throws dev.outrider.spi.error.OutriderException as [dev.outrider.spi.target.TargetModel#open] and [dev.outrider.spi.target.TargetSession#prefill]
        Reading read(int[] tokens);

        /// Reads the next part of a prompt and keeps it. Sequences begin with what is read so far. What is kept of another prompt is not read again,
        /// and a prompt that another one begins with is forgotten once that is read. A prompt of which a part is read makes room for no other one
        /// until [#abandon].
        ///
        /// @param tokens the whole prompt, the same in every call
        /// @param most   most tokens to read; 0 only asks
        /// @return how many of its first tokens are kept now; as many as before if no more can be kept
        /// @throws dev.outrider.spi.error.OutriderException as [#read(int[])]
        int read(int[] tokens, int most);

        /// Forgets a prompt that is not read to its end. Does nothing to one that is.
        ///
        /// @param tokens as those of [#read(int[], int)]
        void abandon(int[] tokens);

        /// {@return bytes of the prompts that are kept now}
        long bytes();

        /// Forgets all prompts. Sequences that began with one are not affected. Idempotent.
        @Override
        void close();
    }
}
