package dev.outrider.spi;

import java.util.HashMap;
import java.util.Map;

/// The laws q a draft was drawn from, one row per node that has children.
///
/// Rows are probabilities over the target's vocabulary and sum to 1; tokens the drafter cannot produce have
/// probability 0. Immutable once built; rows are shared, not copied, and must not be written to.
public final class DraftLaws {
    private final Map<Integer, double[]> rows;

    private DraftLaws(Map<Integer, double[]> rows) {
        this.rows = rows;
    }

    /// {@return the law the children of `node` were drawn from, shape `[V]`}
    ///
    /// @param node index into the draft's tree
    /// @throws IllegalArgumentException if no law was recorded for the node
    public double[] row(int node) {
        var row = rows.get(node);
        if (row == null) {
            throw new IllegalArgumentException("no draft law recorded for node %d".formatted(node));
        }
        return row;
    }

    /// {@return whether a law was recorded for the node}
    ///
    /// @param node index into the draft's tree
    public boolean has(int node) {
        return rows.containsKey(node);
    }

    /// Starts an empty collection of rows.
    ///
    /// @return an empty builder
    public static Builder builder() {
        return new Builder();
    }

    /// Collects rows. Confined to one thread.
    public static final class Builder {
        private final Map<Integer, double[]> rows = new HashMap<>();

        private Builder() {}

        /// Records the law the children of `node` are drawn from. The array is kept, not copied.
        ///
        /// @param node index into the draft's tree
        /// @param law shape `[V]`
        /// @return this builder
        public Builder put(int node, double[] law) {
            if (rows.putIfAbsent(node, law) != null) {
                throw new IllegalArgumentException("node %d already has a law".formatted(node));
            }
            return this;
        }

        /// {@return the finished rows}
        public DraftLaws build() {
            return new DraftLaws(Map.copyOf(rows));
        }
    }
}
