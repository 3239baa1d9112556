package dev.outrider.engine.acceptance;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;

/// Relaxed acceptance: a guess is good enough when it is among the target's k most probable tokens, or when
/// its log probability is within a tolerance of the best one's; the longest path of such guesses is kept.
/// **Lossy**, even with one token and no tolerance: the target's argmax is then kept every time, not with its
/// probability. At temperature 0 the distribution is one-hot and the rule comes to greedy acceptance.
///
/// The settings are `verifier_accept_k` and `accept_tolerance` of checkpoints in the speculators format.
///
/// @param topK      rank up to which a token is kept, at least 1; the lower id ranks first among equals
/// @param tolerance nats below the best token's log probability within which a token is kept, 0 or more
@Doc("Keeps the longest path of tokens that are among the target's k most probable; lossy.")
public record RelaxedTopKRule(
        @Default("2") @Doc("Rank up to which a token is kept, at least 1.") int topK,
        @Default("0")
                @Doc("Nats below the best token's log probability within which a token is kept.")
                double tolerance)
        implements AcceptanceRule {
    static final String NAME = "relaxed-top-k";

    private static final RuleTraits TRAITS =
            RuleTraits.lossy(
                    NAME,
                    Selection.Kind.any(),
                    TreeShape.TREE,
                    "speculators checkpoint format, verifier_accept_k and accept_tolerance");

    public RelaxedTopKRule {
        Require.that(topK >= 1, "'topK' must be at least 1, got %s", topK);
        Require.that(
                tolerance >= 0 && tolerance < Double.POSITIVE_INFINITY,
                "'tolerance' must be 0 or more, got %s",
                tolerance);
    }

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        return LongestPath.decide(
                draft,
                target,
                randomness,
                (distribution, support) -> token -> ranksWithin(distribution, support, token));
    }

    private boolean ranksWithin(double[] distribution, Support support, int token) {
        int before = 0;
        double best = 0;
        for (int index = 0; index < support.size(); index++) {
            int other = support.token(index);
            best = Math.max(best, distribution[other]);
            before +=
                    distribution[other] > distribution[token]
                                    || distribution[other] == distribution[token] && other < token
                            ? 1
                            : 0;
        }
        return before < topK || Math.log(distribution[token] / best) >= -tolerance;
    }
}
