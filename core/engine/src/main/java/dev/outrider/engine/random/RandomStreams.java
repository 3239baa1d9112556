package dev.outrider.engine.random;

import dev.outrider.spi.sampling.Randomness;
import java.util.random.RandomGenerator;

/// Random numbers of one sequence, keyed so that nothing is ever used twice (docs/reference/algorithms.md I4).
///
/// Thread-safe; the generators it returns are not.
public interface RandomStreams {
    /// {@return a fresh generator for one use} The same key always gives the same sequence; different keys give
    /// independent ones.
    ///
    /// @param round number of the round within the sequence, from 0
    /// @param role  what the numbers decide
    /// @param node  the node they decide about
    RandomGenerator stream(int round, Randomness.Role role, int node);

    /// {@return the generator of one position of the sequence, the same in every round} It is independent of all
    /// [#stream]s of other roles, and shared by all that take noise from it.
    ///
    /// @param position index of a token in the sequence, the prompt included
    default RandomGenerator ofPosition(int position) {
        return stream(0, Randomness.Role.COUPLED, position);
    }
}
