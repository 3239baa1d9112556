package dev.outrider.engine.random;

import dev.outrider.spi.sampling.Randomness;

/// Gives the decode loop the randomness of each round. Production code uses keyed streams; exact enumeration uses [Forks].
@FunctionalInterface
public interface RandomnessSource {
    /// The randomness of one round.
    ///
    /// @param round number of the round, from 0
    Randomness round(int round);

    /// Randomness from random streams.
    static RandomnessSource of(RandomStreams streams) {
        return round -> new StreamRandomness(streams, round);
    }
}
