package dev.outrider.engine.acceptance;

import dev.outrider.spi.rule.TargetDistributions;

/// Explicit distributions, one row per node.
record GivenDistributions(double[]... rows) implements TargetDistributions {
    @Override
    public int vocabularySize() {
        return rows[0].length;
    }

    @Override
    public double[] distribution(int node) {
        return rows[node];
    }

    @Override
    public int position(int node) {
        throw new AssertionError("these distributions are of no particular sequence");
    }

    @Override
    public int mode(int node) {
        int best = 0;
        for (int token = 1; token < rows[node].length; token++) {
            if (rows[node][token] > rows[node][best]) {
                best = token;
            }
        }
        return best;
    }
}
