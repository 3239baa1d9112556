package dev.outrider.engine.acceptance;

import java.util.Arrays;

/// What is left of the target's law once a candidate was rejected.
final class Residual {
    private Residual() {}

    /// `max(p - q, 0)`, not normalised. Where rounding leaves nothing, although a rejection says that
    /// something is left, the answer is `p` itself.
    static double[] of(double[] p, double[] q) {
        return of(1, p, q);
    }

    /// `max(weight p - q, 0)`, not normalised; `p` itself where nothing is left.
    static double[] of(double weight, double[] p, double[] q) {
        var residual = new double[p.length];
        double total = 0;
        for (int token = 0; token < p.length; token++) {
            double left = Math.max(weight * p[token] - q[token], 0);
            residual[token] = left;
            total += left;
        }
        return total > 0 ? residual : p;
    }

    /// [#of], normalised.
    static double[] normalised(double[] p, double[] q) {
        return normalised(1, p, q);
    }

    /// [#of] with a weight, normalised.
    static double[] normalised(double weight, double[] p, double[] q) {
        double total = mass(weight, p, q);
        if (total <= 0) {
            return p;
        }
        var residual = new double[p.length];
        for (int token = 0; token < p.length; token++) {
            residual[token] = Math.max(weight * p[token] - q[token], 0) / total;
        }
        return residual;
    }

    /// The sum of `max(weight p - q, 0)`.
    static double mass(double weight, double[] p, double[] q) {
        double total = 0;
        for (int token = 0; token < p.length; token++) {
            total += Math.max(weight * p[token] - q[token], 0);
        }
        return total;
    }

    /// [#of] for a q that is one-hot: `p` without the token.
    static double[] without(double[] p, int token) {
        var residual = p.clone();
        residual[token] = 0;
        return Arrays.stream(residual).anyMatch(mass -> mass > 0) ? residual : p;
    }
}
