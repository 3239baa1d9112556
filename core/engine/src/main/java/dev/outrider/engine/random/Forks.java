package dev.outrider.engine.random;

import dev.outrider.common.Require;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Enumerates every sequence of outcomes: an experiment that asks this object for each of its random decisions is run again until
/// all sequences have occurred; [#weight] is the probability of the last sequence.
///
/// ```
/// var forks = new Forks();
/// do {
///     result = experiment(forks);   // asks forks.choose(...)
///     expectation += forks.weight() * result;
/// } while (forks.next());
/// ```
///
/// Confined to one thread.
public final class Forks {
    private final List<Fork> forks = new ArrayList<>();
    private int position;

    /// The outcome of a decision in the sequence that is being run.
    ///
    /// @param outcomes distinct
    /// @param chances  their probabilities, one of them positive; kept, not copied
    /// @return one of positive probability
    /// @throws IllegalStateException if another decision was here in an earlier run: the experiment is not a function of its randomness
    public int choose(int[] outcomes, double[] chances) {
        if (position == forks.size()) {
            forks.add(new Fork(outcomes, chances));
        }
        var fork = forks.get(position++);
        if (!Arrays.equals(fork.outcomes, outcomes)) {
            throw new IllegalStateException(
                    "the experiment is not a function of its randomness alone");
        }
        return fork.outcomes[fork.index];
    }

    /// Probability of the sequence of outcomes that was run last.
    public double weight() {
        return forks.stream()
                .mapToDouble(fork -> fork.chances[fork.index])
                .reduce(1, (a, b) -> a * b);
    }

    /// Moves to the next sequence of outcomes.
    ///
    /// @return whether there is one
    public boolean next() {
        position = 0;
        while (!forks.isEmpty() && !forks.getLast().next()) {
            forks.removeLast();
        }
        return !forks.isEmpty();
    }

    /// One decision with all its outcomes that have positive probability.
    private static final class Fork {
        final int[] outcomes;
        final double[] chances;
        int index = -1;

        Fork(int[] outcomes, double[] chances) {
            this.outcomes = outcomes;
            this.chances = chances;
            Require.that(next(), "no outcome has positive probability");
        }

        boolean next() {
            do {
                index++;
            } while (index < chances.length && chances[index] <= 0);
            return index < chances.length;
        }
    }
}
