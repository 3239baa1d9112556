package dev.outrider.testkit;

import dev.outrider.engine.random.Forks;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Randomness that takes every outcome in turn: the experiment is rerun until each sequence of outcomes has been
/// seen once, and its result is weighted with the product of their probabilities. Production code runs
/// unchanged.
///
/// Confined to one thread.
final class ForkedRandomness implements Randomness {
    private final Forks forks = new Forks();
    private final Map<Integer, GumbelNoise> noises = new HashMap<>();

    private ForkedRandomness() {}

    /// {@return the distribution of an experiment's result}
    ///
    /// @param experiment a function of its randomness alone; its result has value equality
    /// @param <T> type of the result
    public static <T> Map<T, Double> enumerate(Function<ForkedRandomness, T> experiment) {
        var randomness = new ForkedRandomness();
        var distribution = new HashMap<T, Double>();
        do {
            randomness.noises.clear();
            T result = experiment.apply(randomness);
            distribution.merge(result, randomness.forks.weight(), Double::sum);
        } while (randomness.forks.next());
        return distribution;
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        double chance = Math.min(1, numerator / denominator);
        return forks.choose(new int[] {1, 0}, new double[] {chance, 1 - chance}) == 1;
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
        return forks.choose(
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
                    forks.choose(
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
}
