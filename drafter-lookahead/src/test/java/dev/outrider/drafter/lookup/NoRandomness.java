package dev.outrider.drafter.lookup;

import dev.outrider.spi.sampling.Randomness;

/// For drafters that draw nothing.
public record NoRandomness() implements Randomness {
    @Override
    public boolean accept(int node, double numerator, double denominator) {
        throw new AssertionError("a drafter tests nothing");
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution) {
        throw new AssertionError("this drafter draws nothing");
    }

    @Override
    public int[] gumbelTopK(int position, double[] distribution, int count) {
        throw new AssertionError("nothing races here");
    }

    @Override
    public double uniform(Randomness.Role role, int node) {
        throw new AssertionError("this drafter draws nothing");
    }
}
