package dev.outrider.testkit;

import java.util.SplittableRandom;

/// Styles of the distributions of a [TableModel]. Combining the styles of target and drafter
/// reaches the edge cases of a rule: zero residuals, certain acceptance, certain rejection.
public enum DistributionStyle {
    /// Dirichlet(.7): every token possible, some rare.
    DENSE,
    /// As dense, with about half the tokens impossible.
    ZEROS,
    /// One token has probability 1.
    ONE_HOT,
    /// Equal except for the last few bits.
    NEAR_TIES,
    /// Dense over even ids; its support is disjoint from that of [#ODD].
    EVEN,
    /// Dense over odd ids.
    ODD;

    private static final double CONCENTRATION = .7;

    /// Returns weights of this style, shape `[V]`, not normalised.
    double[] sample(SplittableRandom random, int vocabulary) {
        var distribution = new double[vocabulary];
        int sure = random.nextInt(vocabulary);
        for (int token = 0; token < vocabulary; token++) {
            distribution[token] = weight(random, token, sure);
        }
        return distribution;
    }

    private double weight(SplittableRandom random, int token, int sure) {
        return switch (this) {
            case DENSE -> gamma(random);
            case ZEROS -> token == sure || random.nextBoolean() ? gamma(random) : 0;
            case ONE_HOT -> token == sure ? 1 : 0;
            case NEAR_TIES -> 1 + random.nextInt(-2, 3) * 1e-6;
            case EVEN -> token % 2 == 0 ? gamma(random) : 0;
            case ODD -> token % 2 == 1 ? gamma(random) : 0;
        };
    }

    /// Marsaglia and Tsang's method for shape + 1, then scaled down to a shape below 1.
    private static double gamma(SplittableRandom random) {
        double d = CONCENTRATION + 1 - 1 / 3.0;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double v = Math.pow(1 + c * x, 3);
            double u = 1 - random.nextDouble();
            if (v > 0 && Math.log(u) < x * x / 2 + d - d * v + d * Math.log(v)) {
                return Math.max(1e-6, d * v * Math.pow(random.nextDouble(), 1 / CONCENTRATION));
            }
        }
    }
}
