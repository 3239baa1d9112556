package dev.outrider.drafting;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Seeded coins that write down every draw.
final class RecordingCoins implements Coins {
    /// One draw: where, from which weights at that moment, and what came out.
    record Draw(StreamRole role, int node, double[] weights, int token) {}

    /// One race at a position; here the most probable tokens win.
    record Race(int position, double[] weights) {}

    private final Random random;
    private final List<Race> races = new ArrayList<>();
    private final List<Draw> draws = new ArrayList<>();

    RecordingCoins(long seed) {
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
        draws.add(new Draw(role, node, law.clone(), token));
        return token;
    }

    @Override
    public int[] race(int position, double[] law, int count) {
        races.add(new Race(position, law.clone()));
        return IntStream.range(0, law.length)
                .filter(token -> law[token] > 0)
                .boxed()
                .sorted((a, b) -> Double.compare(law[b], law[a]))
                .limit(count)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Override
    public double uniform(StreamRole role, int node) {
        throw new AssertionError("tree expansion draws tokens only");
    }
}
