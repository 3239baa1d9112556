package dev.outrider.drafter.bandit;

import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.function.Supplier;

/// Lengths drawn by weights that shrink with the time their tokens took: Exp3 over the depths from 0 on, a block of rounds for each draw,
/// because another length costs something beyond itself. Assumes nothing of how times and acceptance come about.
///
/// The draws have a generator of their own, seeded here: none of decoding's streams is touched. Lengths follow measured times, so sampled
/// output cannot be repeated from a seed; it stays exact.
///
/// @param max      greatest depth
/// @param block    rounds of a draw
/// @param rate     of learning, above 0 (eta)
/// @param slowest  time of a token, in plain decoding's, that counts as the greatest loss, 1; longer ones count as this one
/// @param seed     of the draws
/// @see "Auer, Cesa-Bianchi, Freund and Schapire 2002, section 3; Arora, Dekel and Tewari 2012, section 3: blocks; Hou et al. 2025 (BanditSpec)"
@Doc(
        "Exp3 over lengths from 0 on, drawn for blocks of rounds: weights shrink with the time their tokens took.")
public record Exp3Length(
        @Default("8") @Doc("Greatest length; each length up to it is an arm, 0 included.") int max,
        @Default("8")
                @Doc("Rounds of a draw, at least 2: another length costs something beyond itself.")
                int block,
        @Default("0.1") @Doc("Rate of learning, above 0.") double rate,
        @Default("2")
                @Doc(
                        "Time of a token, in plain decoding's, that counts as the greatest loss; above 1.")
                double slowest,
        @Default("1") @Doc("Seed of the draws.") long seed)
        implements DraftLengthPlan {
    public Exp3Length {
        ArmLimits.requireMax(max);
        if (block < 2) {
            throw new IllegalArgumentException("block %d is not at least 2".formatted(block));
        }
        if (!(rate > 0 && rate < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("rate %s is not above 0".formatted(rate));
        }
        if (!(slowest > 1 && slowest < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("slowest %s is not above 1".formatted(slowest));
        }
    }

    @Override
    public DraftLengthPolicy start() {
        return shared().get();
    }

    /// Starts sequences that learn from one another.
    public Supplier<DraftLengthPolicy> shared() {
        var weights = new ExponentialWeights(this);
        return () -> new BanditPolicy(weights, block);
    }
}
