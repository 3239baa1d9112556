package dev.outrider.engine.random;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;

/// Coins that leave every toss to others. Whoever implements it says which, and overrides what is to be different; whoever changes
/// draws overrides both of them.
///
/// Confined to one thread and one round, as all coins are.
public interface ForwardingCoins extends Coins {
    /// {@return the coins that are tossed; always the same}
    Coins coins();

    @Override
    default boolean accept(int node, double numerator, double denominator) {
        return coins().accept(node, numerator, denominator);
    }

    @Override
    default int draw(StreamRole role, int node, double[] law) {
        return coins().draw(role, node, law);
    }

    @Override
    default int draw(StreamRole role, int node, double[] law, Support support) {
        return coins().draw(role, node, law, support);
    }

    @Override
    default int[] race(int position, double[] law, int count) {
        return coins().race(position, law, count);
    }

    @Override
    default double uniform(StreamRole role, int node) {
        return coins().uniform(role, node);
    }
}
