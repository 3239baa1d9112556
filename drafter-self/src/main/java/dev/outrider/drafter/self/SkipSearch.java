package dev.outrider.drafter.self;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetScores;
import java.util.random.RandomGenerator;

/// Searches for sub-layers that can be left out with little effect. At fixed positions of the text
/// some sets are tried on the same tokens, each in one pass; the set whose best guesses were most
/// often the text's tokens is kept. It is a function of the text and a seed, whatever the drafts
/// were; it ends when its passes are used up, or with a set that is good enough.
///
/// Confined to one sequence.
///
/// @see "Xia et al. 2024 (SWIFT), section 4.1: matchness; here with swaps of the best set in place
///     of Bayesian optimisation"
final class SkipSearch implements LayerChoice {
    /// Share of right guesses at which the search ends.
    private static final double GOOD_ENOUGH = 0.95;

    private final SwiftConfig.Search search;
    private final RandomGenerator random;
    private SubLayers best;
    private int looks;
    private int evaluations;
    private boolean over;

    /// @param first  the initial set
    /// @param random for the sets to try
    SkipSearch(SubLayers first, SwiftConfig.Search search, RandomGenerator random) {
        this.best = first;
        this.search = search;
        this.random = random;
    }

    @Override
    public LayerSubset choose(CommittedTokens tokens, PartialPasses passes) {
        while (!over && (looks + 1) * search.tokens() < tokens.length()) {
            look(tokens, passes);
            looks++;
        }
        return best.asSubset();
    }

    private void look(CommittedTokens tokens, PartialPasses passes) {
        int tries = Math.min(search.together(), search.evaluations() - evaluations);
        if (tries < 2 || passes.room() < search.tokens()) {
            over = true;
            return;
        }
        int from = looks * search.tokens();
        var challenged = best;
        int most = matches(challenged, from, tokens, passes);
        for (int other = 1; other < tries; other++) {
            var challenger = challenged.swapped(random);
            int matches = matches(challenger, from, tokens, passes);
            if (matches > most) {
                most = matches;
                best = challenger;
            }
        }
        evaluations += tries;
        over = most >= GOOD_ENOUGH * search.tokens();
    }

    /// Returns how often the most probable token without these sub-layers is the text's token.
    private int matches(SubLayers without, int from, CommittedTokens tokens, PartialPasses passes) {
        int to = from + search.tokens();
        try (var scores = passes.reread(from, tokens.range(from, to), without.asSubset())) {
            return matches(scores, tokens, from);
        }
    }

    private static int matches(TargetScores scores, CommittedTokens tokens, int from) {
        int matches = 0;
        for (int row = 0; row < scores.size(); row++) {
            matches += scores.argmax(row) == tokens.token(from + row + 1) ? 1 : 0;
        }
        return matches;
    }
}
