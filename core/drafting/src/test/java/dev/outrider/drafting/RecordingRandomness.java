package dev.outrider.drafting;

import dev.outrider.spi.sampling.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Seeded randomness that records every draw.
final class RecordingRandomness implements Randomness {
    /// One draw: its place, the weights at that moment, and the drawn token.
    record Draw(Randomness.Role role, int node, double[] weights, int token) {}

    /// One race at a position; here the most probable tokens win.
    record Race(int position, double[] weights) {}

    private final Random random;
    private final List<Race> races = new ArrayList<>();
    private final List<Draw> draws = new ArrayList<>();

    RecordingRandomness(long seed) {
        this.random = new Random(seed);
    }

    List<Draw> draws() {
        return draws;
    }

    List<Race> races() {
        return races;
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        throw new AssertionError("a drafter tests nothing");
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution) {
        double mark = random.nextDouble() * Arrays.stream(distribution).sum();
        int token = -1;
        for (int candidate = 0; candidate < distribution.length; candidate++) {
            if (distribution[candidate] > 0) {
                token = candidate;
                mark -= distribution[candidate];
                if (mark < 0) {
                    break;
                }
            }
        }
        draws.add(new Draw(role, node, distribution.clone(), token));
        return token;
    }

    @Override
    public int[] gumbelTopK(int position, double[] distribution, int count) {
        races.add(new Race(position, distribution.clone()));
        return IntStream.range(0, distribution.length)
                .filter(token -> distribution[token] > 0)
                .boxed()
                .sorted((a, b) -> Double.compare(distribution[b], distribution[a]))
                .limit(count)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Override
    public double uniform(Randomness.Role role, int node) {
        throw new AssertionError("tree expansion draws tokens only");
    }
}
