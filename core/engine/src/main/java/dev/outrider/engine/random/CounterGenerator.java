package dev.outrider.engine.random;

import java.util.random.RandomGenerator;

/// Hashes a 128-bit key and a counter. Confined to one thread.
final class CounterGenerator implements RandomGenerator {
    private final long low;
    private final long high;
    private long counter;

    CounterGenerator(long low, long high) {
        this.low = low;
        this.high = high;
    }

    @Override
    public long nextLong() {
        return SplitMix64.mix(SplitMix64.mix(low + ++counter * SplitMix64.GOLDEN) ^ high);
    }
}
