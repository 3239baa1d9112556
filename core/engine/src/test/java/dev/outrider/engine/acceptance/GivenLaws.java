package dev.outrider.engine.acceptance;

import dev.outrider.spi.TargetLaws;

/// Laws written down, one row a node.
record GivenLaws(double[]... rows) implements TargetLaws {
    @Override
    public int vocabularySize() {
        return rows[0].length;
    }

    @Override
    public double[] law(int node) {
        return rows[node];
    }

    @Override
    public int position(int node) {
        throw new AssertionError("these laws are of no particular sequence");
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
