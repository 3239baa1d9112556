package dev.outrider.engine.model;

/// The positions of a text at which rounds begin. They are a Markov chain, because the rounds of a lossless rule and the text have the target's distribution together.
///
/// ```
/// u(0) = 1,   u(j) = sum_i u(i) (S_{j-i-1}(i) - S_{j-i}(i)),   rounds = sum_i u(i)
/// ```
///
/// u is linear in the S of every position, so that estimates of these without bias give one of the rounds. Confined to one thread.
///
/// @see "docs/reference/algorithms.md A12.5"
public final class RoundChain {
    private final double[] begins;
    private int position;

    /// @param tokens of the text, at least one
    public RoundChain(int tokens) {
        begins = new double[tokens];
        begins[0] = 1;
    }

    /// Moves on by one position.
    ///
    /// @param kept `S_l` by l, `kept[0] = 1`: the probability that a round that begins here keeps its first l guesses, given the
    ///             text; for as many l as are wanted
    /// @return u of the position, the probability that a round begins here
    /// @throws IllegalStateException if the text has ended
    public double next(double... kept) {
        if (position == begins.length) {
            throw new IllegalStateException("the text has %d tokens".formatted(begins.length));
        }
        double here = begins[position];
        for (int more = 0; more < kept.length; more++) {
            int next = position + more + 1;
            double longer = more + 1 < kept.length ? kept[more + 1] : 0;
            if (next < begins.length) {
                begins[next] += here * (kept[more] - longer);
            }
        }
        position++;
        return here;
    }

    /// The expected number of rounds, after every position but the last was passed. At the last one no draft matters.
    public double rounds() {
        double rounds = 0;
        for (double begin : begins) {
            rounds += begin;
        }
        return rounds;
    }
}
