package dev.outrider.engine.random;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The coins of one round, taken from keyed streams. A stream is opened once and then runs on, so that a
/// second draw at the same node is fresh. Confined to one thread.
///
/// @see RepeatableCoins
public final class StreamCoins implements RepeatableCoins {
    private final RandomStreams streams;
    private final int round;
    private final Map<Use, Stream> open = new HashMap<>();

    /// @param streams where generators come from
    /// @param round   number of the round, from 0
    public StreamCoins(RandomStreams streams, int round) {
        this.streams = streams;
        this.round = round;
    }

    @Override
    public Coins again() {
        var again = new StreamCoins(streams, round);
        open.forEach((use, stream) -> again.open.put(use, again.stream(use, stream.tossed)));
        return again;
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
        return open.computeIfAbsent(new Use(role, node), use -> stream(use, 0)).next();
    }

    /// A stream from which some numbers were taken.
    private Stream stream(Use use, int taken) {
        var stream = new Stream(streams.stream(round, use.role(), use.node()));
        while (stream.tossed < taken) {
            stream.next();
        }
        return stream;
    }

    private record Use(StreamRole role, int node) {}

    /// A generator that counts.
    private static final class Stream {
        private final RandomGenerator generator;
        private int tossed;

        Stream(RandomGenerator generator) {
            this.generator = generator;
        }

        double next() {
            tossed++;
            return generator.nextDouble();
        }
    }
}
