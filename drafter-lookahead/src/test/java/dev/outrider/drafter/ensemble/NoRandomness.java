package dev.outrider.drafter.ensemble;

import dev.outrider.spi.sampling.Randomness;

/// Fails if a random number is drawn.
public record NoRandomness() implements Randomness {
    @Override
    public boolean accept(int node, double numerator, double denominator) {
        throw new AssertionError("nothing tests here");
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution) {
        throw new AssertionError("nothing draws here");
    }

    @Override
    public int[] gumbelTopK(int position, double[] distribution, int count) {
        throw new AssertionError("nothing races here");
    }

    @Override
    public double uniform(Randomness.Role role, int node) {
        throw new AssertionError("nothing draws here");
    }
}
