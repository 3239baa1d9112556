package dev.outrider.training;

/// Batches of rows, one after another, without end. Confined to one thread; the caller closes it.
public interface RowStream extends AutoCloseable {
    /// The next batch.
    TokenRows next();

    /// What is behind the batches so far, as the source counts: what a run that goes on must skip.
    long consumed();

    @Override
    void close();
}
