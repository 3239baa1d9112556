package dev.outrider.engine.length;

import dev.outrider.engine.Rounds;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Sequences that share passes of given costs, with a drafter of one pass.
///
/// @param sequences decoded together
/// @param knowsPass whether policies know the rows of the pass of which their time is a share
record SimulatedBatch(int sequences, boolean knowsPass) {
    private static final double NANOS = 1e6;
    private static final double NOISE = 0.05;
    private static final int ROUNDS = 700;
    private static final double DRAFT = 0.1;

    /// Returns the cost of a target limited by memory up to sixteen rows and by computation beyond,
    /// in passes of one row.
    static double pass(int rows) {
        return 1 + 0.01 * (rows - 1) + 0.05 * Math.max(0, rows - 16);
    }

    /// Returns the tokens of all sequences in the time of a pass of one row.
    double rate(Supplier<DraftLengthPolicy> policies, long seed) {
        var random = new Random(seed);
        var all = Stream.generate(policies).limit(sequences).toList();
        double time = 0;
        long written = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var drafts = all.stream().map(policy -> Guesses.draw(policy, random)).toList();
            int rows = drafts.stream().mapToInt(each -> each.drafted + 1).sum();
            double seen = pass(rows) * Math.exp(NOISE * random.nextGaussian());
            var pass = new TargetPass(rows, sequences, Math.round(seen * NANOS));
            time += pass(rows);
            for (int index = 0; index < sequences; index++) {
                var draft = drafts.get(index);
                double cost = draft.asked ? DRAFT : 0;
                time += cost;
                written += draft.accepted + 1;
                var own = new TargetPass(draft.drafted + 1, 1, pass.nanos() / sequences);
                all.get(index)
                        .observe(draft.completed(knowsPass ? pass : own, Math.round(cost * NANOS)));
            }
        }
        return written / time;
    }

    /// A draft's guesses; half of the rounds are easy and half hard.
    private record Guesses(boolean asked, int drafted, int accepted) {
        static Guesses draw(DraftLengthPolicy policy, Random random) {
            int depth = policy.next();
            double chance = random.nextBoolean() ? 0.95 : 0.5;
            int accepted = 0;
            while (accepted < depth && random.nextDouble() < chance) {
                accepted++;
            }
            return new Guesses(depth > 0, depth, accepted);
        }

        RoundCompleted completed(TargetPass pass, long draft) {
            var times = new StageTimes(draft, pass.nanos() / pass.sequences(), 0, 0, 0, 0);
            var round = Rounds.chain(drafted, accepted, times);
            return new RoundCompleted(
                    0,
                    round.draft(),
                    round.verdict(),
                    accepted + 1,
                    times,
                    OptionalDouble.empty(),
                    pass,
                    "");
        }
    }
}
