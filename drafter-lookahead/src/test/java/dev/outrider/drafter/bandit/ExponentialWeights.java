package dev.outrider.drafter.bandit;

import dev.outrider.common.ExploreExploit;
import dev.outrider.engine.length.Average;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Exp3 of losses, with a share of the weights for every arm (Exp3.S), so that an arm that becomes good is found again. Until plain decoding, arm 0, was
/// timed, nothing can be compared with it, and it is pulled. Thread-safe.
///
/// @see "Auer, Cesa-Bianchi, Freund and Schapire 2002, The nonstochastic multiarmed bandit problem, sections 3 and 8"
final class ExponentialWeights implements Bandit {
    /// Of all weights, what every arm is given after a pull.
    private static final double SHARED = 1e-6;

    /// Memory of the time of a plain token: about 10 pulls.
    private static final double MEMORY = 0.9;

    private final Exp3Length settings;
    private final double[] weights;
    private final SplittableRandom random;
    private final Average plainToken = new Average(MEMORY);
    private boolean plainIsKnown;

    ExponentialWeights(Exp3Length settings) {
        this.settings = settings;
        this.weights = new double[settings.max() + 1];
        this.random = new SplittableRandom(settings.seed());
        Arrays.fill(weights, 1.0 / weights.length);
    }

    @Override
    public synchronized Pull pull() {
        if (!plainIsKnown) {
            return new Pull(0, 1, ExploreExploit.LEARNING);
        }
        double left = random.nextDouble();
        int arm = 0;
        while (arm < weights.length - 1 && left >= weights[arm]) {
            left -= weights[arm++];
        }
        double heaviest = Arrays.stream(weights).max().orElseThrow();
        return new Pull(
                arm,
                weights[arm],
                weights[arm] == heaviest ? ExploreExploit.BEST : ExploreExploit.TRIAL);
    }

    @Override
    public synchronized void reward(Pull pull, Block block) {
        double each = Math.max(1, block.nanos()) / block.tokens();
        if (pull.arm() == 0) {
            plainToken.add(each);
            plainIsKnown = true;
        }
        double loss = Math.min(1, each / plainToken.value() / settings.slowest());
        weights[pull.arm()] *= Math.exp(-settings.rate() * loss / pull.chance());
        double sum = Arrays.stream(weights).sum();
        for (int arm = 0; arm < weights.length; arm++) {
            weights[arm] = (1 - SHARED) * weights[arm] / sum + SHARED / weights.length;
        }
    }
}
