package dev.outrider.testkit;

import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Randomness that take every outcome in turn: the experiment is rerun until each sequence of outcomes has been
/// seen once, and its result is weighted with the product of their probabilities. Production code runs
/// unchanged.
///
/// Confined to one thread.
public final class ForkedRandomness implements Randomness {
    private final List<Fork> forks = new ArrayList<>();
    private final Map<Integer, GumbelNoise> noises = new HashMap<>();
    private int position;

    private ForkedRandomness() {}

    /// {@return the distribution of an experiment's result}
    ///
    /// @param experiment a function of its randomness alone; its result has value equality
    /// @param <T> type of the result
    public static <T> Map<T, Double> enumerate(Function<ForkedRandomness, T> experiment) {
        var randomness = new ForkedRandomness();
        var distribution = new HashMap<T, Double>();
        do {
            randomness.position = 0;
            randomness.noises.clear();
            T result = experiment.apply(randomness);
            distribution.merge(result, randomness.weight(), Double::sum);
        } while (randomness.advance());
        return distribution;
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        double chance = Math.min(1, numerator / denominator);
        return choose(new int[] {1, 0}, new double[] {chance, 1 - chance}) == 1;
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution) {
        return draw(distribution, IntStream.range(0, distribution.length));
    }

    /// @throws AssertionError if the distribution is positive outside the support, or the support's tokens do not rise: real randomness
    ///                        may look at the support alone
    @Override
    public int draw(Randomness.Role role, int node, double[] distribution, Support support) {
        requireSupport("draw %s at node %d".formatted(role, node), distribution, support);
        return draw(distribution, IntStream.range(0, support.size()).map(support::token));
    }

    private int draw(double[] distribution, IntStream among) {
        int[] tokens = among.filter(token -> distribution[token] > 0).toArray();
        double total = Arrays.stream(tokens).mapToDouble(token -> distribution[token]).sum();
        return choose(
                tokens, Arrays.stream(tokens).mapToDouble(t -> distribution[t] / total).toArray());
    }

    private static void requireSupport(String what, double[] distribution, Support support) {
        int next = 0;
        for (int index = 0; index < support.size(); index++) {
            int token = support.token(index);
            require(
                    token >= next && token < distribution.length,
                    "%s has token %d in its support at index %d, expected rising tokens, %d to %d here",
                    what,
                    token,
                    index,
                    next,
                    distribution.length - 1);
            requireZero(what, distribution, next, token);
            next = token + 1;
        }
        requireZero(what, distribution, next, distribution.length);
    }

    private static void requireZero(String what, double[] distribution, int from, int to) {
        for (int token = from; token < to; token++) {
            require(
                    distribution[token] <= 0,
                    "%s gives token %d weight %s, expected 0: its support does not hold the token",
                    what,
                    token,
                    distribution[token]);
        }
    }

    private static void require(boolean holds, String problem, Object... values) {
        if (!holds) {
            throw new AssertionError(problem.formatted(values));
        }
    }

    @Override
    public int[] gumbelTopK(int place, double[] distribution, int count) {
        var noise = noises.computeIfAbsent(place, _ -> GumbelNoise.unknown(distribution.length));
        double[] running = distribution.clone();
        var finishers = IntStream.builder();
        for (int i = 0; i < count && Arrays.stream(running).anyMatch(weight -> weight > 0); i++) {
            var byWinner = noise.byWinner(running);
            double volume = noise.volume();
            int winner =
                    choose(
                            byWinner.keySet().stream().mapToInt(Integer::intValue).toArray(),
                            byWinner.values().stream()
                                    .mapToDouble(part -> part.volume() / volume)
                                    .toArray());
            noise = Objects.requireNonNull(byWinner.get(winner));
            running[winner] = 0;
            finishers.add(winner);
        }
        noises.put(place, noise);
        return finishers.build().toArray();
    }

    @Override
    public double uniform(Randomness.Role role, int node) {
        throw new UnsupportedOperationException(
                "a continuous variable cannot be enumerated; test this code with real streams");
    }

    private int choose(int[] outcomes, double[] weights) {
        if (position == forks.size()) {
            forks.add(new Fork(outcomes, weights));
        }
        var fork = forks.get(position++);
        if (!Arrays.equals(fork.outcomes, outcomes)) {
            throw new IllegalStateException(
                    "the experiment is not a function of its randomness alone");
        }
        return fork.outcomes[fork.index];
    }

    private double weight() {
        return forks.stream()
                .mapToDouble(fork -> fork.weights[fork.index])
                .reduce(1, (a, b) -> a * b);
    }

    /// Moves to the next sequence of outcomes, if there is one.
    private boolean advance() {
        while (!forks.isEmpty() && !forks.getLast().advance()) {
            forks.removeLast();
        }
        return !forks.isEmpty();
    }

    /// One question with all its answers that have positive probability.
    private static final class Fork {
        final int[] outcomes;
        final double[] weights;
        int index = -1;

        Fork(int[] outcomes, double[] weights) {
            this.outcomes = outcomes;
            this.weights = weights;
            if (!advance()) {
                throw new IllegalArgumentException("no outcome has positive probability");
            }
        }

        boolean advance() {
            do {
                index++;
            } while (index < weights.length && weights[index] <= 0);
            return index < weights.length;
        }
    }
}
