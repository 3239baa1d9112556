package dev.outrider.engine.acceptance;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;
import dev.outrider.spi.TargetLaws;

/// What is left of the target's law at a node while its candidates are rejected: `B`, at first p. It lives on
/// the law's support, so it costs little after truncation. Confined to one thread and one node.
final class Remainder {
    private final TargetLaws target;
    private final int node;
    private final Support support;
    private double[] law;
    private boolean own;

    private Remainder(TargetLaws target, int node) {
        this.target = target;
        this.node = node;
        this.support = target.support(node);
        this.law = target.law(node);
    }

    /// The whole law of a node.
    static Remainder at(TargetLaws target, int node) {
        return new Remainder(target, node);
    }

    double of(int token) {
        return law[token];
    }

    /// A token from B.
    int draw(Coins coins, StreamRole role) {
        return coins.draw(role, node, law, support);
    }

    /// The sum of `max(weight B - S, 0)`.
    double massAbove(double weight, SiblingLaw siblings) {
        double total = 0;
        for (int index = 0; index < support.size(); index++) {
            int token = support.token(index);
            total += Math.max(weight * law[token] - siblings.of(token), 0);
        }
        return total;
    }

    /// `B := norm(max(weight B - S, 0))`. Where rounding leaves nothing, although a rejection says that
    /// something is left, B stays.
    ///
    /// @return the sum before it is normalised
    double subtract(double weight, SiblingLaw siblings) {
        double total = massAbove(weight, siblings);
        if (total > 0) {
            double[] before = law;
            double[] after = own();
            for (int index = 0; index < support.size(); index++) {
                int token = support.token(index);
                double left = Math.max(weight * before[token] - siblings.of(token), 0);
                after[token] = left / total;
            }
        }
        return total;
    }

    /// B without a token, not normalised; B stays where nothing else is left.
    void remove(int token) {
        double left = 0;
        for (int index = 0; index < support.size(); index++) {
            left += support.token(index) == token ? 0 : law[support.token(index)];
        }
        if (left > 0) {
            own()[token] = 0;
        }
    }

    private double[] own() {
        if (!own) {
            law = target.copy(node);
            own = true;
        }
        return law;
    }
}
