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

    /// {@return the mistake in a node's [#row] or in its support, for a sentence that says that it was recorded; empty if it is a
    /// distribution} Found when the row was put, except for the support.
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

    /// {@return the same rows, with a record of those that are read} The engine checks these again. Confined to one thread.
    public DraftDistributions watched() {
        return new DraftDistributions(rows, Optional.of(new BitSet()));
    }

    /// {@return the first node whose row was read here and was changed after it was put} Costs a pass over every row that was read;
    /// empty if the rows are not watched.
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

    /// A distribution whose support is computed once, when it is first requested.
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

        /// As [#put(int, double[])] for a drafter that knows where its distribution is positive: the support is then not computed.
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

    /// Sums over a row, which show whether it is a distribution, and later whether it has changed.
    ///
    /// @param sum      of all entries
    /// @param absolute of their sizes; more than the sum if some are negative
    /// @param mark     sum with different weights for neighbours; it differs for another row, except by a rare chance
    private record RowSums(double sum, double absolute, double mark) {
        private static final double TOLERANCE = 1e-6;

        /// Eight sums at a time, so that no addition waits for the one before it.
        static RowSums of(double[] row) {
            double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
            double a0 = 0, a1 = 0, a2 = 0, a3 = 0;
            int whole = row.length & -4;
            for (int token = 0; token < whole; token += 4) {
                s0 += row[token];
                s1 += row[token + 1];
                s2 += row[token + 2];
                s3 += row[token + 3];
                a0 += Math.abs(row[token]);
                a1 += Math.abs(row[token + 1]);
                a2 += Math.abs(row[token + 2]);
                a3 += Math.abs(row[token + 3]);
            }
            double rest = 0;
            double restAbsolute = 0;
            double restMark = 0;
            for (int token = whole; token < row.length; token++) {
                rest += row[token];
                restMark += (token - whole + 2) * row[token];
                restAbsolute += Math.abs(row[token]);
            }
            double mark = s0 + 3 * s1 + 7 * s2 + 13 * s3 + 17 * restMark;
            return new RowSums(s0 + s1 + s2 + s3 + rest, a0 + a1 + a2 + a3 + restAbsolute, mark);
        }

        /// The reason why a row is not a distribution, as the end of a sentence; empty if it is one.
        Optional<String> problem(double[] row, int node) {
            if (Math.abs(sum - 1) <= TOLERANCE && absolute == sum) {
                return Optional.empty();
            }
            for (int token = 0; token < row.length; token++) {
                if (!(row[token] >= 0)) {
                    return Optional.of(
                            "probability %s of token %d at node %d, expected 0 or more"
                                    .formatted(row[token], token, node));
                }
            }
            return Math.abs(sum - 1) <= TOLERANCE
                    ? Optional.empty()
                    : Optional.of(
                            "a distribution that sums to %s at node %d, expected 1"
                                    .formatted(sum, node));
        }
    }
}
