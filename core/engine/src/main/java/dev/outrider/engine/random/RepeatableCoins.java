package dev.outrider.engine.random;

import dev.outrider.spi.Coins;

/// Coins that can be tossed twice: what enumeration's cannot.
public interface RepeatableCoins extends Coins {
    /// Coins that fall as these will from here on: what was tossed already, by a drafter for instance, is not tossed again. Taking
    /// from one takes nothing from the other.
    Coins again();
}
