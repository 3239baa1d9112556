package dev.outrider.nn.network;

import java.util.List;

/// Keys and values of one sequence, preallocated. Rows `[0, length())` are committed; rows
/// `[length(), used())` are scratch rows of undecided tokens.
///
/// Confined to one thread.
public interface KvCache extends AutoCloseable {
    /// Returns the number of committed rows.
    int length();

    /// Returns the number of committed and scratch rows.
    int used();

    /// Returns the maximum number of rows.
    int capacity();

    /// Commits some scratch rows and drops the others.
    ///
    /// @param scratchRows rows relative to [#length()], strictly ascending; they move to the rows after the
    ///                    committed ones
    default void keep(List<Integer> scratchRows) {
        keep(scratchRows, scratchRows.size());
    }

    /// Keeps some scratch rows and drops the others.
    ///
    /// @param scratchRows rows relative to [#length()], strictly ascending; they move to the rows after the
    ///                    committed ones
    /// @param committed   how many of them, from the first, are committed; the others stay scratch rows
    void keep(List<Integer> scratchRows, int committed);

    /// Drops all scratch rows.
    default void dropScratch() {
        keep(List.of());
    }

    /// Drops scratch rows and committed rows from `length` on.
    void truncate(int length);

    /// Releases the memory. Idempotent.
    @Override
    void close();
}
