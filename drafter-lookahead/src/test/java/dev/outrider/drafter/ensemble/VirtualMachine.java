package dev.outrider.drafter.ensemble;

import dev.outrider.common.Ticker;
import java.util.Random;

/// A machine whose time advances only by computation, with 10 % noise: decoding on it runs the real loop and takes as much time as
/// the given costs say. Confined to one thread.
final class VirtualMachine implements Ticker {
    private static final double NANOS = 1e6;
    private static final double NOISE = 0.1;

    private final Costs costs;
    private final Random random;
    private long now;
    private int passes;
    private int passesOfSequence;
    private int written;
    private int sequence;

    /// Times in passes of one row.
    interface Costs {
        /// @param rows of the target's pass
        /// @param pass of the whole run
        double pass(int rows, int pass);

        /// Returns the cost of a guess.
        double guess();
    }

    VirtualMachine(Costs costs, long seed) {
        this.costs = costs;
        this.random = new Random(seed);
    }

    @Override
    public long nanos() {
        return now;
    }

    /// Starts another sequence.
    void begin() {
        sequence++;
        passesOfSequence = 0;
        written = 0;
    }

    /// Advances the time by a pass of the target.
    void pass(int rows) {
        spend(costs.pass(rows, passes++));
        passesOfSequence++;
    }

    /// Advances the time by guesses of a drafter.
    void guess(int tokens) {
        spend(tokens * costs.guess());
    }

    private void spend(double time) {
        now += Math.round(time * NANOS * Math.exp(NOISE * random.nextGaussian()));
    }

    /// Commits tokens of the sequence.
    void commit(int tokens) {
        written += tokens;
    }

    /// Returns the passes of the sequence so far.
    int round() {
        return passesOfSequence;
    }

    /// Returns the tokens of the sequence so far.
    int written() {
        return written;
    }

    /// Returns the index of the sequence, from 1.
    int sequence() {
        return sequence;
    }

    Random random() {
        return random;
    }
}
