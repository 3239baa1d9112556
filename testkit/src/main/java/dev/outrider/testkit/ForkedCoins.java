package dev.outrider.testkit;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Coins that take every outcome in turn: the experiment is rerun until each sequence of outcomes has been
/// seen once, and its result is weighted with the product of their probabilities. Production code runs
/// unchanged.
///
/// Confined to one thread.
public final class ForkedCoins implements Coins {
    private final List<Fork> forks = new ArrayList<>();
    private final Map<Integer, RaceNoise> noises = new HashMap<>();
    private int position;

    private ForkedCoins() {}

    /// {@return the law of an experiment's result}
    ///
    /// @param experiment a function of its coins alone; its result has value equality
    /// @param <T> type of the result
    public static <T> Map<T, Double> enumerate(Function<ForkedCoins, T> experiment) {
        var coins = new ForkedCoins();
        var law = new HashMap<T, Double>();
        do {
            coins.position = 0;
            coins.noises.clear();
            T result = experiment.apply(coins);
            law.merge(result, coins.weight(), Double::sum);
        } while (coins.advance());
        return law;
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        double chance = Math.min(1, numerator / denominator);
        return choose(new int[] {1, 0}, new double[] {chance, 1 - chance}) == 1;
    }

    @Override
    public int draw(StreamRole role, int node, double[] law) {
        return draw(law, IntStream.range(0, law.length));
    }

    /// @throws AssertionError if the law is positive outside the support, or the support's tokens do not rise: real coins
    ///                        may look at the support alone
    @Override
    public int draw(StreamRole role, int node, double[] law, Support support) {
        requireSupport("draw %s at node %d".formatted(role, node), law, support);
        return draw(law, IntStream.range(0, support.size()).map(support::token));
    }

    private int draw(double[] law, IntStream among) {
        int[] tokens = among.filter(token -> law[token] > 0).toArray();
        double total = Arrays.stream(tokens).mapToDouble(token -> law[token]).sum();
        return choose(tokens, Arrays.stream(tokens).mapToDouble(t -> law[t] / total).toArray());
    }

    private static void requireSupport(String what, double[] law, Support support) {
        int next = 0;
        for (int index = 0; index < support.size(); index++) {
            int token = support.token(index);
            require(
                    token >= next && token < law.length,
                    "%s has token %d in its support at index %d, expected rising tokens, %d to %d here",
                    what,
                    token,
                    index,
                    next,
                    law.length - 1);
            requireZero(what, law, next, token);
            next = token + 1;
        }
        requireZero(what, law, next, law.length);
    }

    private static void requireZero(String what, double[] law, int from, int to) {
        for (int token = from; token < to; token++) {
            require(
                    law[token] <= 0,
                    "%s gives token %d weight %s, expected 0: its support does not hold the token",
                    what,
                    token,
                    law[token]);
        }
    }

    private static void require(boolean holds, String problem, Object... values) {
        if (!holds) {
            throw new AssertionError(problem.formatted(values));
        }
    }

    @Override
    public int[] race(int place, double[] law, int count) {
        var noise = noises.computeIfAbsent(place, _ -> RaceNoise.unknown(law.length));
        double[] running = law.clone();
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
    public double uniform(StreamRole role, int node) {
        throw new UnsupportedOperationException(
                "a continuous variable cannot be enumerated; test this code with real streams");
    }

    private int choose(int[] outcomes, double[] weights) {
        if (position == forks.size()) {
            forks.add(new Fork(outcomes, weights));
        }
        var fork = forks.get(position++);
        if (!Arrays.equals(fork.outcomes, outcomes)) {
            throw new IllegalStateException("the experiment is not a function of its coins alone");
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
