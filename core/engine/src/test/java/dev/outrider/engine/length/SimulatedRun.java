package dev.outrider.engine.length;

import dev.outrider.engine.Rounds;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.Random;
import java.util.function.Supplier;

/// Simulated rounds of given costs and a given drafter, to test a policy.
///
/// @param costs   costs of passes and guesses
/// @param drafter which guesses are right
/// @param sequences number of sequences
/// @param tokens  of a sequence
/// @param cache   factor of a pass's time after a round of another depth, because the caches hold
///     other data
record SimulatedRun(Costs costs, Drafter drafter, int sequences, int tokens, double cache) {
    private static final double NANOS = 1e6;
    private static final double NOISE = 0.1;

    /// Times of a round in passes of one row.
    interface Costs {
        /// @param rows  of the target's pass
        /// @param round of the whole run
        double pass(int rows, int round);

        /// Returns the cost of a guess.
        double guess();
    }

    /// Determines which guesses are right.
    interface Drafter {
        /// @param round  of the sequence
        /// @param random of the run
        /// @return number of right guesses in a row in an unlimited draft
        int right(int round, Random random);
    }

    /// Returns the time per token in passes of one row, without the noise that the policy sees.
    double timePerToken(Supplier<DraftLengthPolicy> policies, long seed) {
        var random = new Random(seed);
        double time = 0;
        long written = 0;
        int all = 0;
        int last = -1;
        for (int sequence = 0; sequence < sequences; sequence++) {
            var policy = policies.get();
            int left = tokens;
            for (int round = 0; left > 0; round++) {
                int depth = Math.min(policy.next(), left - 1);
                int accepted = Math.min(depth, drafter.right(round, random));
                boolean cold = cache > 1 && depth != last;
                double pass = costs.pass(depth + 1, all++) * (cold ? cache : 1);
                last = depth;
                double guesses = depth * costs.guess();
                time += pass + guesses;
                written += accepted + 1;
                left -= accepted + 1;
                policy.observe(
                        Rounds.chain(
                                depth,
                                accepted,
                                new StageTimes(
                                        nanos(guesses, random), nanos(pass, random), 0, 0, 0, 0)));
            }
        }
        return time / written;
    }

    private static long nanos(double passes, Random random) {
        return Math.round(passes * NANOS * Math.exp(NOISE * random.nextGaussian()));
    }
}
