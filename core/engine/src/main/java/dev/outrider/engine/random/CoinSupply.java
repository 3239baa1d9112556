package dev.outrider.engine.random;

import dev.outrider.spi.Coins;
import dev.outrider.spi.RandomStreams;
import java.util.Optional;

/// Hands the decode loop the coins of each round. Production takes them from keyed streams; exact
/// enumeration puts coins here that fork.
@FunctionalInterface
public interface CoinSupply {
    /// The coins of one round.
    ///
    /// @param round number of the round, from 0
    Coins round(int round);

    /// The coins of one round once more: they fall as those of [#round] do, and taking from one takes nothing from the
    /// other. Empty where coins cannot be tossed twice.
    ///
    /// @param round number of the round, from 0
    default Optional<Coins> again(int round) {
        return Optional.empty();
    }

    /// Coins from random streams.
    static CoinSupply of(RandomStreams streams) {
        return new CoinSupply() {
            @Override
            public Coins round(int round) {
                return new StreamCoins(streams, round);
            }

            @Override
            public Optional<Coins> again(int round) {
                return Optional.of(round(round));
            }
        };
    }
}
