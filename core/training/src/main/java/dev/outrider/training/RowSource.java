package dev.outrider.training;

/// Rows of tokens to train on, always the same in the same order.
@FunctionalInterface
public interface RowSource {
    /// Starts a stream of rows.
    ///
    /// @param rows of every batch
    /// @param skip the [RowStream#consumed] position of an earlier run with batches of that size
    /// @return the batches from there on; the caller closes them
    RowStream open(int rows, long skip);

    /// Describes the texts in one line. A run is resumed only if this line is the same.
    default String facts() {
        return "";
    }

    /// Batches of rows, one after another, without end. Confined to one thread; the caller closes it.
    interface RowStream extends AutoCloseable {
        /// The next batch.
        TokenRows next();

        /// Returns the position after the batches so far, in the source's own unit: a resumed run skips so much.
        long consumed();

        @Override
        void close();
    }
}
