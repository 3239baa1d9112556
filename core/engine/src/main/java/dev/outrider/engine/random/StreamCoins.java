package dev.outrider.engine.random;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The coins of one round, taken from keyed streams. A stream is opened once and then runs on, so that a
/// second draw at the same node is fresh. Confined to one thread.
public final class StreamCoins implements Coins {
    private final RandomStreams streams;
    private final int round;
    private final Map<Use, RandomGenerator> open = new HashMap<>();

    /// @param streams where generators come from
    /// @param round   number of the round, from 0
    public StreamCoins(RandomStreams streams, int round) {
        this.streams = streams;
        this.round = round;
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        return uniform(StreamRole.ACCEPT, node) * denominator < numerator;
    }

    @Override
    public int draw(StreamRole role, int node, double[] law) {
        return Categorical.draw(law, uniform(role, node));
    }

    @Override
    public int draw(StreamRole role, int node, double[] law, Support support) {
        return Categorical.draw(law, support, uniform(role, node));
    }

    @Override
    public int[] race(int position, double[] law, int count) {
        return ExponentialRace.finishers(streams.ofPosition(position), law, count);
    }

    @Override
    public double uniform(StreamRole role, int node) {
        return open.computeIfAbsent(
                        new Use(role, node), use -> streams.stream(round, use.role(), use.node()))
                .nextDouble();
    }

    private record Use(StreamRole role, int node) {}
}
