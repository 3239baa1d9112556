package dev.outrider.drafter.ensemble;

import dev.outrider.common.Ticker;
import java.util.Random;

/// A machine whose time passes only where something is computed on it, with 10 % noise: decoding on it runs the real loop and takes as
/// long as the costs say. Confined to one thread.
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

        /// A guess.
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

    /// Another sequence begins.
    void begin() {
        sequence++;
        passesOfSequence = 0;
        written = 0;
    }

    /// The target computes a pass.
    void pass(int rows) {
        spend(costs.pass(rows, passes++));
        passesOfSequence++;
    }

    /// A drafter guesses.
    void guess(int tokens) {
        spend(tokens * costs.guess());
    }

    private void spend(double time) {
        now += Math.round(time * NANOS * Math.exp(NOISE * random.nextGaussian()));
    }

    /// Tokens of the sequence are committed.
    void commit(int tokens) {
        written += tokens;
    }

    /// Passes of the sequence so far.
    int round() {
        return passesOfSequence;
    }

    /// Tokens of the sequence so far.
    int written() {
        return written;
    }

    /// Number of the sequence, from 1.
    int sequence() {
        return sequence;
    }

    Random random() {
        return random;
    }
}
