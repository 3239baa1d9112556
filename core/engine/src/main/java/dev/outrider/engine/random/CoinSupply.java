package dev.outrider.engine.random;

import dev.outrider.spi.Coins;

/// Hands the decode loop the coins of each round. Production takes them from keyed streams; exact
/// enumeration puts coins here that fork.
@FunctionalInterface
public interface CoinSupply {
    /// The coins of one round.
    ///
    /// @param round number of the round, from 0
    Coins round(int round);

    /// Coins from random streams.
    static CoinSupply of(RandomStreams streams) {
        return round -> new StreamCoins(streams, round);
    }
}
