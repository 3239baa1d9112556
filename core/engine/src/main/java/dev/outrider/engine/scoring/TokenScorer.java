package dev.outrider.engine.scoring;

import dev.outrider.common.sampling.LogProbabilities;
import dev.outrider.engine.scoring.TokenScore.Candidate;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/// Scores tokens from rows of the target's logits. Confined to one thread.
public final class TokenScorer {
    private final LogProbabilities row;

    /// @param vocabulary number of tokens V
    public TokenScorer(int vocabulary) {
        row = new LogProbabilities(vocabulary);
    }

    /// Scores a token.
    ///
    /// @param logits     of its place
    /// @param candidates number of the most probable tokens to report
    public TokenScore score(MemorySegment logits, int token, int candidates) {
        row.fill(logits);
        return score(token, candidates, row.vocabulary(), row::logit, row::of);
    }

    /// Scores a token; candidates have a probability above 0.
    ///
    /// @param distribution shape `[V]`, of its place
    /// @param candidates   number of the most probable tokens to report
    public static TokenScore score(double[] distribution, int token, int candidates) {
        return score(
                token,
                candidates,
                distribution.length,
                each -> distribution[each] > 0 ? distribution[each] : Double.NEGATIVE_INFINITY,
                each -> StrictMath.log(distribution[each]));
    }

    /// @param order the more probable token has the larger number; minus infinity is not reported
    private static TokenScore score(
            int token,
            int candidates,
            int vocabulary,
            IntToDoubleFunction order,
            IntToDoubleFunction logProbability) {
        var best = new int[Math.min(candidates, vocabulary)];
        int size = 0;
        for (int each = 0; each < vocabulary && best.length > 0; each++) {
            double key = order.applyAsDouble(each);
            if (key == Double.NEGATIVE_INFINITY
                    || size == best.length && !(key > order.applyAsDouble(best[size - 1]))) {
                continue;
            }
            int place = size < best.length ? size++ : size - 1;
            for (; place > 0 && order.applyAsDouble(best[place - 1]) < key; place--) {
                best[place] = best[place - 1];
            }
            best[place] = each;
        }
        return new TokenScore(
                token,
                logProbability.applyAsDouble(token),
                Arrays.stream(best, 0, size)
                        .mapToObj(each -> new Candidate(each, logProbability.applyAsDouble(each)))
                        .toList());
    }
}
