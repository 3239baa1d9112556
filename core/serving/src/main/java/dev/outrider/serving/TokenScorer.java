package dev.outrider.serving;

import dev.outrider.common.sampling.LogProbabilities;
import dev.outrider.serving.TokenScore.Candidate;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Scores tokens from rows of the target's logits. Confined to one thread.
final class TokenScorer {
    private final LogProbabilities row;

    TokenScorer(int vocabulary) {
        row = new LogProbabilities(vocabulary);
    }

    /// Scores a token.
    ///
    /// @param logits     of its place
    /// @param candidates number of the most probable tokens to report
    TokenScore score(MemorySegment logits, int token, int candidates) {
        row.fill(logits);
        return new TokenScore(token, row.of(token), best(candidates));
    }

    private List<Candidate> best(int most) {
        var best = new int[Math.min(most, row.vocabulary())];
        int size = 0;
        for (int token = 0; token < row.vocabulary() && best.length > 0; token++) {
            float logit = row.logit(token);
            if (size == best.length && !(logit > row.logit(best[size - 1]))) {
                continue;
            }
            int place = size < best.length ? size++ : size - 1;
            for (; place > 0 && row.logit(best[place - 1]) < logit; place--) {
                best[place] = best[place - 1];
            }
            best[place] = token;
        }
        var candidates = new ArrayList<Candidate>(size);
        for (int index = 0; index < size; index++) {
            candidates.add(new Candidate(best[index], row.of(best[index])));
        }
        return candidates;
    }
}
