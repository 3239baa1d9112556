package dev.outrider.spi.draft;

import dev.outrider.spi.sampling.Support;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The distributions q a draft was drawn from, one row per node that has children.
///
/// Rows are probabilities over the target's vocabulary and sum to 1; tokens the drafter cannot produce have
/// probability 0. Immutable once built; rows are shared, not copied, and must not be written to.
@API(status = Status.STABLE, since = "2")
public final class DraftDistributions {
    private static final double SUM_TOLERANCE = 1e-6;

    private final Map<Integer, Row> rows;

    private final Optional<BitSet> watch;

    private DraftDistributions(Map<Integer, Row> rows, Optional<BitSet> watch) {
        this.rows = rows;
        this.watch = watch;
    }

    /// {@return the distribution the children of `node` were drawn from, shape `[V]`}
    ///
    /// @param node index into the draft's tree
    /// @throws IllegalArgumentException if no distribution was recorded for the node
    public double[] row(int node) {
        double[] row = recorded(node).distribution;
        watch.ifPresent(read -> read.set(node));
        return row;
    }

    /// {@return the tokens to which [#row] gives positive probability} Shared, like the row.
    ///
    /// @param node index into the draft's tree
    /// @throws IllegalArgumentException if no distribution was recorded for the node
    public Support support(int node) {
        return recorded(node).support();
    }

    /// {@return what is wrong with a node's [#row] or with the support given with it, for a sentence that says it was recorded;
    /// empty if it is a distribution} Found while the row was put, but for the support.
    ///
    /// @param node index into the draft's tree
    /// @throws IllegalArgumentException if no distribution was recorded for the node
    public Optional<String> problem(int node) {
        var row = recorded(node);
        var problem = row.sums.problem(row.distribution, node);
        return problem.isPresent() || !row.supportGiven
                ? problem
                : supportProblem(row.support(), row.distribution, node);
    }

    /// {@return the same rows, of which it is remembered which are read} For whoever looks at those again. Confined to one thread.
    public DraftDistributions watched() {
        return new DraftDistributions(rows, Optional.of(new BitSet()));
    }

    /// {@return the first node whose row was read here and is another one than was put} Costs a pass over every row that was read; nothing
    /// where nobody watches.
    public OptionalInt changed() {
        return watch.stream()
                .flatMapToInt(BitSet::stream)
                .filter(node -> !RowSums.of(row(node)).equals(recorded(node).sums))
                .findFirst();
    }

    private static Optional<String> supportProblem(
            Support support, double[] distribution, int node) {
        double sum = 0;
        int last = -1;
        for (int index = 0; index < support.size(); index++) {
            int token = support.token(index);
            if (token <= last || token >= distribution.length) {
                return Optional.of(
                        "token %d after token %d in the support of the distribution at node %d, expected rising tokens below %d"
                                .formatted(token, last, node, distribution.length));
            }
            sum += distribution[token];
            last = token;
        }
        return Math.abs(sum - 1) <= SUM_TOLERANCE
                ? Optional.empty()
                : Optional.of(
                        "a support that holds %s of the distribution at node %d, expected all of it"
                                .formatted(sum, node));
    }

    /// {@return whether a distribution was recorded for the node}
    ///
    /// @param node index into the draft's tree
    public boolean has(int node) {
        return rows.containsKey(node);
    }

    private Row recorded(int node) {
        var row = rows.get(node);
        if (row == null) {
            throw new IllegalArgumentException(
                    "no draft distribution recorded for node %d".formatted(node));
        }
        return row;
    }

    /// Starts an empty collection of rows.
    ///
    /// @return an empty builder
    public static Builder builder() {
        return new Builder();
    }

    /// A distribution whose support is looked for once, when it is first asked for.
    private static final class Row {
        private final double[] distribution;
        private final RowSums sums;
        private final boolean supportGiven;
        private volatile Optional<Support> support;

        Row(double[] distribution, Optional<Support> support) {
            this.distribution = distribution;
            this.sums = RowSums.of(distribution);
            this.supportGiven = support.isPresent();
            this.support = support;
        }

        Support support() {
            var known = support;
            if (known.isEmpty()) {
                known = Optional.of(Support.of(distribution));
                support = known;
            }
            return known.get();
        }
    }

    /// Collects rows. Confined to one thread.
    public static final class Builder {
        private final Map<Integer, Row> rows = new HashMap<>();

        private Builder() {}

        /// Records the distribution the children of `node` are drawn from. The array is kept, not copied.
        ///
        /// @param node index into the draft's tree
        /// @param distribution shape `[V]`
        /// @return this builder
        public Builder put(int node, double[] distribution) {
            return put(node, new Row(distribution, Optional.empty()));
        }

        /// As [#put(int, double[])] for a drafter that knows where its distribution is positive, which is then not looked for.
        ///
        /// @param node    index into the draft's tree
        /// @param distribution     shape `[V]`, 0 outside the support
        /// @param support copied
        /// @return this builder
        public Builder put(int node, double[] distribution, Support support) {
            return put(node, new Row(distribution, Optional.of(support.copy())));
        }

        private Builder put(int node, Row row) {
            if (rows.putIfAbsent(node, row) != null) {
                throw new IllegalArgumentException(
                        "node %d already has a distribution".formatted(node));
            }
            return this;
        }

        /// {@return the finished rows}
        public DraftDistributions build() {
            return new DraftDistributions(Map.copyOf(rows), Optional.empty());
        }
    }
}
