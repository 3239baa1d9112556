package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import java.util.Arrays;
import java.util.Random;

/// Coins of one round that depend on the seed alone.
final class SeededCoins implements Coins {
    private final Random random;

    SeededCoins(long seed) {
        this.random = new Random(seed);
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        throw new AssertionError("a drafter tests nothing");
    }

    @Override
    public int draw(StreamRole role, int node, double[] law) {
        double mark = random.nextDouble() * Arrays.stream(law).sum();
        int token = -1;
        for (int candidate = 0; candidate < law.length; candidate++) {
            if (law[candidate] > 0) {
                token = candidate;
                mark -= law[candidate];
                if (mark < 0) {
                    break;
                }
            }
        }
        return token;
    }

    @Override
    public int[] race(int position, double[] law, int count) {
        throw new AssertionError("no plan here is coupled");
    }

    @Override
    public double uniform(StreamRole role, int node) {
        throw new AssertionError("the drafter draws tokens only");
    }
}
