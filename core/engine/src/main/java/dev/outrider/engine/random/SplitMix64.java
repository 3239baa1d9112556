package dev.outrider.engine.random;

/// Bijective mixing of 64-bit words.
///
/// @see "Steele, Lea, Flood 2014: Fast splittable pseudorandom number generators; the constants are Stafford's variant 13"
final class SplitMix64 {
    /// The odd number nearest to 2^64 divided by the golden ratio.
    static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private SplitMix64() {}

    /// Every input bit flips every output bit with probability close to one half.
    static long mix(long word) {
        long z = (word ^ (word >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /// The state after one more word; order matters.
    static long absorb(long state, long word) {
        return mix(mix(state + GOLDEN) ^ (word * GOLDEN + 0x452821e638d01377L));
    }
}
