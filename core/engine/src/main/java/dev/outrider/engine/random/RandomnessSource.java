package dev.outrider.engine.random;

import dev.outrider.spi.sampling.Randomness;

/// Hands the decode loop the randomness of each round. Production takes it from keyed streams; exact
/// enumeration puts randomness here that forks.
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
