package dev.outrider.engine.length;

import dev.outrider.engine.model.FittedCurve;
import java.util.Arrays;

/// The cost of a round by the depth that its draft was allowed: the target's pass, drafting and everything else, as measured. Costs
/// of depths that were not tried are interpolated; a deeper draft never costs less. Not thread-safe.
public final class RoundCosts {
    /// Memory of the mean of a depth: about 10 rounds, so that a change of the machine shows soon.
    private static final double MEMORY = 0.9;

    /// A round that took more than this many times its mean was disturbed, and counts as this many.
    private static final double MAX = 3;

    private final double[] means;
    private final double[] weights;

    /// @param max  greatest depth
    public RoundCosts(int max) {
        means = new double[max + 1];
        weights = new double[max + 1];
    }

    /// Learns from a round.
    ///
    /// @param depth the depth that its draft was allowed
    /// @param nanos that it took
    /// @param share the round's share of a pass: the rounds that share a pass are one measurement
    public void observe(int depth, double nanos, double share) {
        boolean known = weights[depth] > 0;
        double counted = Math.max(1, known ? Math.min(nanos, MAX * means[depth]) : nanos);
        double weight = Math.pow(MEMORY, share) * weights[depth] + share;
        means[depth] += (counted - means[depth]) * share / weight;
        weights[depth] = weight;
    }

    /// Forgets plain decoding, or all drafts.
    public void forget(boolean plain) {
        Arrays.fill(weights, plain ? 0 : 1, plain ? 1 : weights.length, 0);
    }

    /// Whether depth 0 and another one are known.
    public boolean comparable() {
        return weights[0] > 0 && Arrays.stream(weights, 1, weights.length).anyMatch(w -> w > 0);
    }

    /// Nanoseconds of a round by depth; depth 0 and another one are known.
    public double[] curve() {
        var curve = FittedCurve.rising(means, weights);
        int before = 0;
        double slope = 0;
        for (int depth = 1; depth < curve.length; depth++) {
            if (weights[depth] > 0) {
                slope = (curve[depth] - curve[before]) / (depth - before);
                for (int between = before + 1; between < depth; between++) {
                    curve[between] = curve[before] + slope * (between - before);
                }
                before = depth;
            }
        }
        double beyond = (curve[before] - curve[0]) / before;
        for (int depth = before + 1; depth < curve.length; depth++) {
            curve[depth] = curve[before] + beyond * (depth - before);
        }
        return curve;
    }
}
