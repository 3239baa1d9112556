package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.RoundRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What became of drafted tokens, counted over rounds.
///
/// @param rounds       target passes
/// @param emitted      tokens emitted, the following tokens included
/// @param drafted      drafted nodes
/// @param accepted     accepted draft tokens
/// @param alpha        accepts / (accepts + rejections) over positions reached; 0 if nothing was tested
/// @param perPosition  at index i-1: rounds that accepted a token at position i / rounds that drafted anything
/// @param conditional  at index i-1: accepted at position i / tested at position i
/// @param histogram    number of rounds by accepted tokens
/// @param meanDepth    mean depth of the drafts, rounds that drafted nothing included
public record Acceptance(
        long rounds,
        long emitted,
        long drafted,
        long accepted,
        double alpha,
        List<Double> perPosition,
        List<Double> conditional,
        SortedMap<Integer, Long> histogram,
        double meanDepth) {
    public Acceptance {
        perPosition = List.copyOf(perPosition);
        conditional = List.copyOf(conditional);
        histogram = Collections.unmodifiableSortedMap(new TreeMap<>(histogram));
    }

    /// Count over rounds.
    public static Acceptance of(List<RoundRecord> rounds) {
        long emitted = 0;
        long drafted = 0;
        long accepted = 0;
        long rejections = 0;
        long depths = 0;
        SortedMap<Integer, Long> histogram = new TreeMap<>();
        int deepest = 0;
        for (RoundRecord round : rounds) {
            emitted += round.emitted();
            drafted += round.nodes();
            accepted += round.accepted();
            rejections += round.rejected() ? 1 : 0;
            depths += round.depth();
            deepest = Math.max(deepest, round.depth());
            histogram.merge(round.accepted(), 1L, Long::sum);
        }
        List<Double> perPosition = new ArrayList<>();
        List<Double> conditional = new ArrayList<>();
        long drafts = rounds.stream().filter(round -> round.nodes() > 0).count();
        for (int position = 1; position <= deepest; position++) {
            int at = position;
            long there = rounds.stream().filter(round -> round.accepted() >= at).count();
            long refused =
                    rounds.stream()
                            .filter(round -> round.rejected() && round.accepted() == at - 1)
                            .count();
            perPosition.add(ratio(there, drafts));
            conditional.add(ratio(there, there + refused));
        }
        return new Acceptance(
                rounds.size(),
                emitted,
                drafted,
                accepted,
                ratio(accepted, accepted + rejections),
                perPosition,
                conditional,
                histogram,
                ratio(depths, rounds.size()));
    }

    /// Tokens emitted per target pass; plain decoding is 1.
    public double tokensPerRound() {
        return ratio(emitted, rounds);
    }

    /// Accepted / drafted; falls with the draft length.
    public double draftAcceptanceRate() {
        return ratio(accepted, drafted);
    }

    /// Drafted and scored tokens that were thrown away.
    public long wasted() {
        return drafted - accepted;
    }

    /// Expected tokens of an uncut round: one, and each position's unconditional acceptance, over all rounds.
    public double expectedTokens() {
        return 1 + ratio(accepted, rounds);
    }

    private static double ratio(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }
}
