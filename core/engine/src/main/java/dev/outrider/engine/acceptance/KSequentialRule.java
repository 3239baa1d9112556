package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TreeShape;
import java.util.Set;

/// SpecTr's sequential selection: of k children drawn independently from q, the first that passes its test
/// `p(c) / (rho q(c))` is kept. With `m = min(q, p / rho)`, `beta = sum m` and
/// `p_acc = 1 - (1 - beta)^k`, the token after a node without a kept child is drawn from
/// `p - m p_acc / beta`. It is exact for every rho with `p_acc <= rho beta`; the smallest such rho, which
/// this rule finds by false position on `[1, k]`, accepts most.
///
/// @see "Sun et al. 2023 (SpecTr), algorithm 3"
public final class KSequentialRule extends SiblingRejection {
    private static final int MAX_STEPS = 60;

    /// The tolerance of rho. The rule is exact for every rho that is not too small.
    private static final double TOLERANCE = 1e-12;

    public KSequentialRule() {
        super(
                RuleTraits.exact(
                        "k-seq",
                        Set.of(Selection.Kind.INDEPENDENT),
                        TreeShape.TREE,
                        "Sun et al. 2023 (SpecTr), algorithm 3"));
    }

    @Override
    int chosen(Draft draft, int node, Residual left, Randomness randomness) {
        int[] children = draft.tree().candidates(node);
        var pair = new Pair(left, SiblingDistribution.at(draft, node), children.length);
        double rho = pair.optimalRho();
        for (int child : children) {
            int token = draft.tree().token(child);
            double q = pair.q.of(token);
            if (q > 0 && randomness.accept(child, pair.p[token], rho * q)) {
                return child;
            }
        }
        pair.reject(rho);
        return -1;
    }

    /// p and q at a node with k children. Everything here is 0 outside the support of p.
    private static final class Pair {
        private final Residual left;
        private final double[] p;
        private final Support support;
        private final SiblingDistribution q;
        private final int k;

        Pair(Residual left, SiblingDistribution q, int k) {
            this.left = left;
            this.p = left.distribution();
            this.support = left.support();
            this.q = q;
            this.k = k;
        }

        /// The smallest rho in `[1, k]` with `1 - (1 - beta)^k <= rho beta`, from above: false position, in
        /// which an end that stays counts half (the Illinois rule).
        double optimalRho() {
            double low = 1;
            double lowSlack = slack(low);
            if (lowSlack >= 0) {
                return low;
            }
            double high = k;
            double highSlack = slack(high);
            int stayed = 0;
            for (int step = 0;
                    step < MAX_STEPS && high - low > TOLERANCE && highSlack > 0;
                    step++) {
                double middle = low + (high - low) * lowSlack / (lowSlack - highSlack);
                double slack = slack(middle);
                if (slack >= 0) {
                    high = middle;
                    highSlack = slack;
                    lowSlack = stayed < 0 ? lowSlack / 2 : lowSlack;
                    stayed = -1;
                } else {
                    low = middle;
                    lowSlack = slack;
                    highSlack = stayed > 0 ? highSlack / 2 : highSlack;
                    stayed = 1;
                }
            }
            return high;
        }

        /// Returns by how much rho exceeds the smallest exact value.
        private double slack(double rho) {
            double beta = overlap(rho);
            return rho * beta - (1 - Math.pow(1 - beta, k));
        }

        private double overlap(double rho) {
            double inverse = 1 / rho;
            double beta = 0;
            for (int index = 0; index < support.size(); index++) {
                int token = support.token(index);
                double scaled = p[token] * inverse;
                double drafted = q.of(token);
                beta += drafted < scaled ? drafted : scaled; // Math.min takes twice as long
            }
            return Math.min(beta, 1);
        }

        /// Sets the residual to `p - m p_acc / beta`, or to p if nothing is left.
        private void reject(double rho) {
            double beta = overlap(rho);
            double share = beta > 0 ? (1 - Math.pow(1 - beta, k)) / beta : 0;
            double[] rest = left.copy();
            double total = 0;
            for (int index = 0; index < support.size(); index++) {
                int token = support.token(index);
                double taken = Math.min(q.of(token), p[token] / rho) * share;
                rest[token] = Math.max(p[token] - taken, 0);
                total += rest[token];
            }
            if (total > 0) {
                left.replace(rest);
            }
        }
    }
}
