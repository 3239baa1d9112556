package dev.outrider.training;

/// Rows of tokens to train on, always the same in the same order.
@FunctionalInterface
public interface RowSource {
    /// Begins to give rows.
    ///
    /// @param rows of every batch
    /// @param skip what an earlier run with batches of that size has [RowStream#consumed]
    /// @return the batches from there on; the caller closes them
    RowStream open(int rows, long skip);

    /// What the texts are, in a line: a run is resumed only where it is the same.
    default String facts() {
        return "";
    }

    /// Batches of rows, one after another, without end. Confined to one thread; the caller closes it.
    interface RowStream extends AutoCloseable {
        /// The next batch.
        TokenRows next();

        /// What is behind the batches so far, as the source counts: what a run that goes on must skip.
        long consumed();

        @Override
        void close();
    }
}
