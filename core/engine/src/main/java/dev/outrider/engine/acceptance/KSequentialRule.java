package dev.outrider.engine.acceptance;

import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.RuleTraits;
import dev.outrider.spi.SelectionKind;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TreeShape;
import dev.outrider.spi.Verdict;
import dev.outrider.spi.Verdict.Origin;
import java.util.ArrayList;
import java.util.Set;

/// SpecTr's sequential selection: of k children drawn independently from q, the first that passes its coin
/// `p(c) / (rho q(c))` is kept. With `m = min(q, p / rho)`, `beta = sum m` and
/// `p_acc = 1 - (1 - beta)^k`, what follows a node without a kept child is drawn from
/// `p - m p_acc / beta`. It is exact for every rho with `p_acc <= rho beta`; the smallest such rho, which
/// this rule finds by bisection on `[1, k]`, accepts most.
///
/// @see "Sun et al. 2023 (SpecTr), algorithm 3"
public final class KSequentialRule implements AcceptanceRule {
    private static final int BISECTIONS = 60;
    private static final RuleTraits TRAITS =
            new RuleTraits(
                    "k-seq",
                    true,
                    false,
                    Set.of(SelectionKind.INDEPENDENT),
                    TreeShape.TREE,
                    "Sun et al. 2023 (SpecTr), algorithm 3");

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetLaws target, Coins coins) {
        var tree = draft.tree();
        var accepted = new ArrayList<Integer>(tree.maxDepth());
        int node = 0;
        while (TreeWalk.hasCandidates(tree, node)) {
            double[] p = target.law(node);
            double[] q = SiblingLaw.at(draft, node).row();
            int[] children = tree.candidates(node);
            double rho = optimalRho(p, q, children.length);
            int chosen = -1;
            for (int child : children) {
                int token = tree.token(child);
                if (q[token] > 0 && coins.accept(child, p[token], rho * q[token])) {
                    chosen = child;
                    break;
                }
            }
            if (chosen < 0) {
                var left = residual(p, q, rho, children.length);
                int next = coins.draw(StreamRole.RESIDUAL, node, left);
                return new Verdict(accepted, next, Origin.CORRECTION);
            }
            accepted.add(chosen);
            node = chosen;
        }
        int next = coins.draw(StreamRole.BONUS, node, target.law(node));
        return new Verdict(accepted, next, Origin.BONUS);
    }

    /// The smallest rho in `[1, k]` with `1 - (1 - beta)^k <= rho beta`, from above.
    static double optimalRho(double[] p, double[] q, int k) {
        double low = 1;
        double high = k;
        if (isExact(p, q, low, k)) {
            return low;
        }
        for (int step = 0; step < BISECTIONS; step++) {
            double middle = (low + high) / 2;
            if (isExact(p, q, middle, k)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    private static boolean isExact(double[] p, double[] q, double rho, int k) {
        double beta = overlap(p, q, rho);
        return 1 - Math.pow(1 - beta, k) <= rho * beta;
    }

    private static double overlap(double[] p, double[] q, double rho) {
        double beta = 0;
        for (int token = 0; token < p.length; token++) {
            beta += Math.min(q[token], p[token] / rho);
        }
        return Math.min(beta, 1);
    }

    private static double[] residual(double[] p, double[] q, double rho, int k) {
        double beta = overlap(p, q, rho);
        double share = beta > 0 ? (1 - Math.pow(1 - beta, k)) / beta : 0;
        var left = new double[p.length];
        double total = 0;
        for (int token = 0; token < p.length; token++) {
            left[token] = Math.max(p[token] - Math.min(q[token], p[token] / rho) * share, 0);
            total += left[token];
        }
        return total > 0 ? left : p;
    }
}
