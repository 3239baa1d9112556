package dev.outrider.engine.acceptance;

import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;

/// The rest of the target's distribution at a node while its candidates are rejected: `B`, at first p. It has
/// the distribution's support, so it costs little after truncation. Confined to one thread and one node.
final class Residual {
    private final TargetDistributions target;
    private final int node;
    private final Support support;
    private double[] distribution;
    private boolean own;

    private Residual(TargetDistributions target, int node) {
        this.target = target;
        this.node = node;
        this.support = target.support(node);
        this.distribution = target.distribution(node);
    }

    /// The whole distribution of a node.
    static Residual at(TargetDistributions target, int node) {
        return new Residual(target, node);
    }

    double of(int token) {
        return distribution[token];
    }

    double[] distribution() {
        return distribution;
    }

    Support support() {
        return support;
    }

    /// A writable copy of the node's whole distribution.
    double[] copy() {
        return target.copy(node);
    }

    /// `B := rest`, a changed [#copy()].
    void replace(double[] rest) {
        distribution = rest;
        own = true;
    }

    /// A token from B.
    int draw(Randomness randomness, Randomness.Role role) {
        return randomness.draw(role, node, distribution, support);
    }

    /// The sum of `max(weight B - S, 0)`.
    double massAbove(double weight, SiblingDistribution siblings) {
        double total = 0;
        for (int index = 0; index < support.size(); index++) {
            int token = support.token(index);
            total += Math.max(weight * distribution[token] - siblings.of(token), 0);
        }
        return total;
    }

    /// `B := norm(max(weight B - S, 0))`. If rounding leaves no mass, although a rejection implies that some is left, B does not
    /// change.
    ///
    /// @return the sum before it is normalised
    double subtract(double weight, SiblingDistribution siblings) {
        double total = massAbove(weight, siblings);
        if (total > 0) {
            double[] before = distribution;
            double[] after = own();
            for (int index = 0; index < support.size(); index++) {
                int token = support.token(index);
                double left = Math.max(weight * before[token] - siblings.of(token), 0);
                after[token] = left / total;
            }
        }
        return total;
    }

    /// Removes a token from B, not normalised. B does not change if no other mass is left.
    void remove(int token) {
        double left = 0;
        for (int index = 0; index < support.size(); index++) {
            left += support.token(index) == token ? 0 : distribution[support.token(index)];
        }
        if (left > 0) {
            own()[token] = 0;
        }
    }

    private double[] own() {
        if (!own) {
            replace(copy());
        }
        return distribution;
    }
}
