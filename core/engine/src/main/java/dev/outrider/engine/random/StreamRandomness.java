package dev.outrider.engine.random;

import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The randomness of one round, taken from keyed streams. A stream is opened once and then runs on, so that a
/// second draw at the same node is fresh. Confined to one thread.
public final class StreamRandomness implements Randomness {
    private final RandomStreams streams;
    private final int round;
    private final Map<Use, RandomGenerator> open = new HashMap<>();

    /// @param streams where generators come from
    /// @param round   number of the round, from 0
    public StreamRandomness(RandomStreams streams, int round) {
        this.streams = streams;
        this.round = round;
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        return uniform(Randomness.Role.ACCEPT, node) * denominator < numerator;
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution) {
        return Categorical.draw(distribution, uniform(role, node));
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution, Support support) {
        return Categorical.draw(distribution, support, uniform(role, node));
    }

    @Override
    public int[] gumbelTopK(int position, double[] distribution, int count) {
        return GumbelTopK.finishers(streams.ofPosition(position), distribution, count);
    }

    @Override
    public double uniform(Randomness.Role role, int node) {
        return open.computeIfAbsent(
                        new Use(role, node), use -> streams.stream(round, use.role(), use.node()))
                .nextDouble();
    }

    private record Use(Randomness.Role role, int node) {}
}
