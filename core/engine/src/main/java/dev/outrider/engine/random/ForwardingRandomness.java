package dev.outrider.engine.random;

import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;

/// Randomness that forwards every call to another one. An implementation names the other one and overrides the calls that differ; one that changes
/// draws overrides both of them.
///
/// Confined to one thread and one round, as all randomness is.
public interface ForwardingRandomness extends Randomness {
    /// {@return the other randomness; always the same}
    Randomness randomness();

    @Override
    default boolean accept(int node, double numerator, double denominator) {
        return randomness().accept(node, numerator, denominator);
    }

    @Override
    default int draw(Randomness.Role role, int node, double[] distribution) {
        return randomness().draw(role, node, distribution);
    }

    @Override
    default int draw(Randomness.Role role, int node, double[] distribution, Support support) {
        return randomness().draw(role, node, distribution, support);
    }

    @Override
    default int[] gumbelTopK(int position, double[] distribution, int count) {
        return randomness().gumbelTopK(position, distribution, count);
    }

    @Override
    default double uniform(Randomness.Role role, int node) {
        return randomness().uniform(role, node);
    }
}
