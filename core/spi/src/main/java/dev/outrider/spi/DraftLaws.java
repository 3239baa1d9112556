package dev.outrider.spi;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The laws q a draft was drawn from, one row per node that has children.
///
/// Rows are probabilities over the target's vocabulary and sum to 1; tokens the drafter cannot produce have
/// probability 0. Immutable once built; rows are shared, not copied, and must not be written to.
@API(status = Status.STABLE, since = "2")
public final class DraftLaws {
    private static final double SUM_TOLERANCE = 1e-6;

    private final Map<Integer, Row> rows;

    private DraftLaws(Map<Integer, Row> rows) {
        this.rows = rows;
    }

    /// {@return the law the children of `node` were drawn from, shape `[V]`}
    ///
    /// @param node index into the draft's tree
    /// @throws IllegalArgumentException if no law was recorded for the node
    public double[] row(int node) {
        return recorded(node).law;
    }

    /// {@return the tokens to which [#row] gives positive probability} Shared, like the row.
    ///
    /// @param node index into the draft's tree
    /// @throws IllegalArgumentException if no law was recorded for the node
    public Support support(int node) {
        return recorded(node).support();
    }

    /// {@return what is wrong with a node's [#support], for a sentence that says it was recorded: tokens that do not rise or do not
    /// exist, or that hold less than all of the law; empty if it is the law's}
    ///
    /// @param node index into the draft's tree
    /// @throws IllegalArgumentException if no law was recorded for the node
    public Optional<String> supportProblem(int node) {
        var support = support(node);
        double[] law = row(node);
        double sum = 0;
        int last = -1;
        for (int index = 0; index < support.size(); index++) {
            int token = support.token(index);
            if (token <= last || token >= law.length) {
                return Optional.of(
                        "token %d after token %d in the support of the law at node %d, expected rising tokens below %d"
                                .formatted(token, last, node, law.length));
            }
            sum += law[token];
            last = token;
        }
        return Math.abs(sum - 1) <= SUM_TOLERANCE
                ? Optional.empty()
                : Optional.of(
                        "a support that holds %s of the law at node %d, expected all of it"
                                .formatted(sum, node));
    }

    /// {@return whether a law was recorded for the node}
    ///
    /// @param node index into the draft's tree
    public boolean has(int node) {
        return rows.containsKey(node);
    }

    private Row recorded(int node) {
        var row = rows.get(node);
        if (row == null) {
            throw new IllegalArgumentException("no draft law recorded for node %d".formatted(node));
        }
        return row;
    }

    /// Starts an empty collection of rows.
    ///
    /// @return an empty builder
    public static Builder builder() {
        return new Builder();
    }

    /// A law whose support is looked for once, when it is first asked for.
    private static final class Row {
        private final double[] law;
        private volatile Optional<Support> support;

        Row(double[] law, Optional<Support> support) {
            this.law = law;
            this.support = support;
        }

        Support support() {
            var known = support;
            if (known.isEmpty()) {
                known = Optional.of(Support.of(law));
                support = known;
            }
            return known.get();
        }
    }

    /// Collects rows. Confined to one thread.
    public static final class Builder {
        private final Map<Integer, Row> rows = new HashMap<>();

        private Builder() {}

        /// Records the law the children of `node` are drawn from. The array is kept, not copied.
        ///
        /// @param node index into the draft's tree
        /// @param law shape `[V]`
        /// @return this builder
        public Builder put(int node, double[] law) {
            return put(node, new Row(law, Optional.empty()));
        }

        /// As [#put(int, double[])] for a drafter that knows where its law is positive, which is then not looked for.
        ///
        /// @param node    index into the draft's tree
        /// @param law     shape `[V]`, 0 outside the support
        /// @param support copied
        /// @return this builder
        public Builder put(int node, double[] law, Support support) {
            return put(node, new Row(law, Optional.of(support.copy())));
        }

        private Builder put(int node, Row row) {
            if (rows.putIfAbsent(node, row) != null) {
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
