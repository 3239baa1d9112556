package dev.outrider.experiment.recording;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// A draft level by level, seen from the text's path through it.
final class Levels {
    /// The rank of a token that the draft does not have.
    static final int ABSENT = -1;

    /// One level.
    ///
    /// @param width   nodes of this level that may be accepted
    /// @param p       the target's probability of the text's token; 0 where the text has left the draft or ended
    /// @param q       the drafter's; of guesses that were not drawn 1 if the token is among them
    /// @param rank    of the text's token: how many tokens the drafter finds more probable, or, where guesses were not drawn, its place
    ///                among the siblings; [#ABSENT] if it is not there
    /// @param overlap sum of min(p, q) at the node; where guesses were not drawn, what p gives to them
    /// @param top     of q
    record Level(int width, double p, double q, int rank, double overlap, TopTokens top) {}

    private Levels() {}

    /// @param rest what the text has after the root
    /// @param most tokens of a distribution that are kept
    static List<Level> of(Draft draft, TargetDistributions target, int[] rest, int most) {
        var tree = draft.tree();
        int[] widths = widths(tree);
        var levels = new ArrayList<Level>();
        var node = OptionalInt.of(0);
        for (int level = 1; level < widths.length; level++) {
            int width = widths[level];
            if (node.isEmpty() || level > rest.length) {
                levels.add(new Level(width, 0, 0, ABSENT, 0, TopTokens.none()));
                continue;
            }
            int at = node.getAsInt();
            int token = rest[level - 1];
            double[] p = target.distribution(at);
            levels.add(
                    drawnFrom(draft.selection(), at)
                            .map(rows -> drawn(width, p, rows, at, token, most))
                            .orElseGet(() -> ranked(width, p, tree, at, token)));
            node = child(tree, at, token);
        }
        return levels;
    }

    private static Level drawn(
            int width, double[] p, DraftDistributions rows, int node, int token, int most) {
        double[] q = rows.row(node);
        Support support = rows.support(node);
        double overlap = 0;
        int rank = 0;
        for (int index = 0; index < support.size(); index++) {
            int other = support.token(index);
            overlap += Math.min(p[other], q[other]);
            rank += q[other] > q[token] || q[other] == q[token] && other < token ? 1 : 0;
        }
        return new Level(
                width,
                p[token],
                q[token],
                q[token] > 0 ? rank : ABSENT,
                overlap,
                TopTokens.of(q, support, most));
    }

    private static Level ranked(int width, double[] p, TokenTree tree, int node, int token) {
        int[] guesses = tree.candidates(node);
        int rank = ABSENT;
        for (int index = guesses.length - 1; index >= 0; index--) {
            rank = tree.token(guesses[index]) == token ? index : rank;
        }
        double overlap =
                Arrays.stream(guesses)
                        .map(tree::token)
                        .distinct()
                        .mapToDouble(guess -> p[guess])
                        .sum();
        return new Level(width, p[token], rank == ABSENT ? 0 : 1, rank, overlap, TopTokens.none());
    }

    private static Optional<DraftDistributions> drawnFrom(Selection selection, int node) {
        return switch (selection) {
            case Selection.PointMass _ -> Optional.empty();
            case Selection.Independent(DraftDistributions rows) ->
                    rows.has(node) ? Optional.of(rows) : Optional.empty();
            case Selection.WithoutReplacement(DraftDistributions rows) ->
                    rows.has(node) ? Optional.of(rows) : Optional.empty();
        };
    }

    private static OptionalInt child(TokenTree tree, int node, int token) {
        return Arrays.stream(tree.candidates(node))
                .filter(child -> tree.token(child) == token)
                .findFirst();
    }

    /// Nodes that may be accepted, by depth.
    private static int[] widths(TokenTree tree) {
        var widths = new int[tree.candidateDepth() + 1];
        for (int node = 0; node < tree.size(); node++) {
            if (tree.verified(node)) {
                widths[tree.depth(node)]++;
            }
        }
        return widths;
    }

    /// The most probable tokens of a distribution, and what the others have together.
    ///
    /// @param tokens        in falling order of probability
    /// @param probabilities theirs
    /// @param tail          1 less these, added up token by token
    record TopTokens(int[] tokens, double[] probabilities, double tail) {
        static TopTokens of(double[] distribution, Support support, int most) {
            int[] sorted =
                    IntStream.range(0, support.size())
                            .map(support::token)
                            .boxed()
                            .sorted(
                                    Comparator.comparingDouble(
                                                    (Integer token) -> -distribution[token])
                                            .thenComparing(token -> token))
                            .mapToInt(Integer::intValue)
                            .toArray();
            int kept = Math.min(most, sorted.length);
            double tail = 0;
            for (int index = kept; index < sorted.length; index++) {
                tail += distribution[sorted[index]];
            }
            int[] tokens = Arrays.copyOf(sorted, kept);
            return new TopTokens(
                    tokens,
                    Arrays.stream(tokens).mapToDouble(token -> distribution[token]).toArray(),
                    tail);
        }

        static TopTokens none() {
            return new TopTokens(new int[0], new double[0], 0);
        }
    }
}
