package dev.outrider.engine.random;

import dev.outrider.spi.sampling.Randomness;
import java.util.random.RandomGenerator;

/// Random streams that depend on nothing but their key: (seed, request, round, role, node).
///
/// The key is hashed to 128 bits; a generator then hashes that with a running counter. Streams of different
/// keys never overlap in practice, however the work is ordered or split between threads, and a run can be
/// repeated from its seed. A key without the round or without the role is known to make lossless rules lossy
/// (docs/reference/algorithms.md I4).
///
/// Thread-safe.
///
/// @param seed    of the run
/// @param request number of the sequence within the run
public record KeyedRandomStreams(long seed, long request) implements RandomStreams {
    @Override
    public RandomGenerator stream(int round, Randomness.Role role, int node) {
        long low = SplitMix64.absorb(0x243f6a8885a308d3L, seed);
        long high = SplitMix64.absorb(0x13198a2e03707344L, seed);
        long[] words = {request, round, role.ordinal(), node};
        for (long word : words) {
            low = SplitMix64.absorb(low, word);
            high = SplitMix64.absorb(high, word ^ low);
        }
        return new CounterGenerator(low, high);
    }

    /// Hashes a 128-bit key and a counter. Confined to one thread.
    private static final class CounterGenerator implements RandomGenerator {
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
}
