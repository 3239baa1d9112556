package dev.outrider.drafter.self;

import dev.outrider.drafter.self.SelfDrafter.LayerChoice;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetScores;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

    /// The sub-layers that are left out: 2 L bits for a decoder of L layers, those of attention first.
    /// The first and the last layer always run.
    ///
    /// @param layers  number of layers L, at least 3
    /// @param skipped the sub-layers
    record SubLayers(int layers, BitSet skipped) {
        SubLayers {
            skipped = (BitSet) skipped.clone();
        }

        /// Returns the maximum number of sub-layers that can be left out.
        static int most(int layers) {
            return 2 * (layers - 2);
        }

        /// Returns a share of the sub-layers, half of them attention, spread evenly over the layers
        /// except the first and the last.
        static SubLayers spread(int layers, double share) {
            int count = (int) Math.clamp(Math.round(share * 2 * layers), 1, most(layers));
            int attention = Math.ceilDiv(count, 2);
            var skipped = new BitSet();
            spread(attention, layers - 2).forEach(skipped::set);
            spread(count - attention, layers - 2)
                    .map(layer -> layers + layer)
                    .forEach(skipped::set);
            return new SubLayers(layers, skipped);
        }

        /// Returns this many different layers between the first and the last.
        private static IntStream spread(int count, int inner) {
            return IntStream.range(0, count)
                    .map(index -> 1 + (2 * index + 1) * inner / (2 * count));
        }

        /// Returns another set of the same size: one sub-layer runs again, another one is left out.
        /// Returns the same set if all possible ones are left out.
        SubLayers swapped(RandomGenerator random) {
            int[] out = skipped.stream().toArray();
            int[] in =
                    IntStream.range(0, most(layers))
                            .map(free -> bit(layers, free))
                            .filter(each -> !skipped.get(each))
                            .toArray();
            if (in.length == 0) {
                return this;
            }
            var other = (BitSet) skipped.clone();
            other.clear(out[random.nextInt(out.length)]);
            other.set(in[random.nextInt(in.length)]);
            return new SubLayers(layers, other);
        }

        LayerSubset.Without asSubset() {
            return new LayerSubset.Without(
                    skipped.stream()
                            .filter(each -> each < layers)
                            .boxed()
                            .collect(Collectors.toSet()),
                    skipped.stream()
                            .filter(each -> each >= layers)
                            .mapToObj(each -> each - layers)
                            .collect(Collectors.toSet()));
        }

        /// Returns the bit of a sub-layer that can be left out, in the order in which they run.
        private static int bit(int layers, int free) {
            int layer = 1 + free / 2;
            return free % 2 == 0 ? layer : layers + layer;
        }
    }
}
