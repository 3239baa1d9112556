package dev.outrider.engine.length.gain;

/// How often a round accepts at least d tokens of a draft that may be that deep: `S_d`, an exponential average for each depth. A drafter
/// that had nothing to propose has failed at every depth. Not thread-safe.
final class Survival {
    private final double memory;
    private final double[] successes;
    private final double[] trials;

    /// @param max    greatest depth
    /// @param memory share of the past that a round leaves
    Survival(int max, double memory) {
        this.memory = memory;
        successes = new double[max + 1];
        trials = new double[max + 1];
    }

    /// Learns from a round.
    ///
    /// @param depth    that its draft was allowed
    /// @param accepted tokens of it
    void observe(int depth, int accepted) {
        for (int d = 1; d <= depth; d++) {
            successes[d] = memory * successes[d] + (accepted >= d ? 1 : 0);
            trials[d] = memory * trials[d] + 1;
        }
    }

    /// `S_d` for d from 0, falling. Depths that were not tried go on as those that were, each guess as likely as the mean of them.
    ///
    /// @param prior  what is thought of it beforehand
    /// @param weight rounds that the prior counts as
    double[] curve(double[] prior, double weight) {
        var curve = new double[successes.length];
        curve[0] = 1;
        int tried = 0;
        for (int d = 1; d < curve.length && trials[d] > 0; d++) {
            double own = (weight * prior[d] + successes[d]) / (weight + trials[d]);
            curve[d] = Math.min(curve[d - 1], own);
            tried = d;
        }
        double each = tried == 0 ? prior[1] : Math.pow(curve[tried], 1.0 / tried);
        for (int d = tried + 1; d < curve.length; d++) {
            curve[d] = curve[d - 1] * each;
        }
        return curve;
    }
}
