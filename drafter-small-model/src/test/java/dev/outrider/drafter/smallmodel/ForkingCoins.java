package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Coins that fork: a random experiment is run once for every sequence of outcomes its coins can have.
final class ForkingCoins implements Coins {
    /// One decision: the outcomes it can have with their probabilities, and which one this run takes.
    private record Fork(double[] probabilities, int[] outcomes, int taken) {}

    private final List<Fork> forks = new ArrayList<>();
    private int position;

    private ForkingCoins() {}

    /// The exact law of an experiment's result.
    static Map<List<Integer>, Double> law(Function<Coins, List<Integer>> experiment) {
        var law = new HashMap<List<Integer>, Double>();
        var coins = new ForkingCoins();
        do {
            coins.position = 0;
            var result = experiment.apply(coins);
            double probability = 1;
            for (var fork : coins.forks) {
                probability *= fork.probabilities()[fork.taken()];
            }
            law.merge(result, probability, Double::sum);
        } while (coins.advance());
        return law;
    }

    private boolean advance() {
        while (!forks.isEmpty()) {
            var last = forks.removeLast();
            if (last.taken() + 1 < last.outcomes().length) {
                forks.add(new Fork(last.probabilities(), last.outcomes(), last.taken() + 1));
                return true;
            }
        }
        return false;
    }

    private int fork(double[] probabilities, int[] outcomes) {
        if (position == forks.size()) {
            forks.add(new Fork(probabilities, outcomes, 0));
        }
        var fork = forks.get(position++);
        return fork.outcomes()[fork.taken()];
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        double accepted = Math.min(1, numerator / denominator);
        if (accepted <= 0 || accepted >= 1) {
            return accepted >= 1;
        }
        return fork(new double[] {accepted, 1 - accepted}, new int[] {1, 0}) == 1;
    }

    @Override
    public int draw(StreamRole role, int node, double[] law) {
        double total = Arrays.stream(law).sum();
        var weights = law.clone();
        var possible = IntStream.range(0, law.length).filter(token -> weights[token] > 0).toArray();
        return fork(
                Arrays.stream(possible).mapToDouble(token -> weights[token] / total).toArray(),
                possible);
    }

    @Override
    public double uniform(StreamRole role, int node) {
        throw new AssertionError("a continuous variable cannot fork");
    }
}
