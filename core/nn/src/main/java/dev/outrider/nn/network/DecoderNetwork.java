package dev.outrider.nn.network;

import java.util.List;
import java.util.Optional;

/// A transformer's decoder with loaded weights.
///
/// Passes of one network are serialised; caches and results are confined to the thread that made them.
public interface DecoderNetwork extends AutoCloseable {
    /// Returns an empty cache for `rows` tokens.
    KvCache newCache(int rows);

    /// Runs the rows of one or several sequences through the network in one pass and appends them to their
    /// caches as scratch rows. Each block's result is the same as in a separate pass.
    ///
    /// @param blocks  at least one; caches are distinct
    /// @param outputs what to report
    PassResult forward(List<RowBlock> blocks, PassOutputs outputs);

    /// Returns a capability of the network beyond this contract, such as weights that drafters share: the network itself, if it has
    /// the wanted type.
    default <T> Optional<T> capability(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /// Releases the weights. Idempotent.
    @Override
    void close();
}
