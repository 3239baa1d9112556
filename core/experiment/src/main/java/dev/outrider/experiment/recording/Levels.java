package dev.outrider.experiment.recording;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// A draft level by level, along the text's path through it.
final class Levels {
    /// The rank of a token that the draft does not have.
    private static final int ABSENT = -1;

    /// One level.
    ///
    /// @param width   nodes of this level that may be accepted
    /// @param p       the target's probability of the text's token; 0 after the text has left the draft or ended
    /// @param q       the drafter's probability; for guesses that were not drawn, 1 if the token is among them
    /// @param rank    of the text's token: number of tokens with a larger q; for guesses that were not drawn, its place
    ///                among the siblings; -1 if the token is not a guess
    /// @param overlap sum of min(p, q) at the node; for guesses that were not drawn, their sum of p
    record Level(int width, double p, double q, int rank, double overlap) {}

    private Levels() {}

    /// @param rest the text after the root
    static List<Level> of(Draft draft, TargetDistributions target, int... rest) {
        var tree = draft.tree();
        int[] widths = widths(tree);
        var levels = new ArrayList<Level>();
        var node = OptionalInt.of(0);
        for (int level = 1; level < widths.length; level++) {
            int width = widths[level];
            if (node.isEmpty() || level > rest.length) {
                levels.add(new Level(width, 0, 0, ABSENT, 0));
                continue;
            }
            int at = node.getAsInt();
            int token = rest[level - 1];
            double[] p = target.distribution(at);
            levels.add(
                    drawnFrom(draft.selection())
                            .filter(rows -> rows.has(at))
                            .map(rows -> drawn(width, p, rows, at, token))
                            .orElseGet(() -> ranked(width, p, tree, at, token)));
            node =
                    Arrays.stream(tree.candidates(at))
                            .filter(child -> tree.token(child) == token)
                            .findFirst();
        }
        return levels;
    }

    private static Level drawn(
            int width, double[] p, DraftDistributions rows, int node, int token) {
        double[] q = rows.row(node);
        var support = rows.support(node);
        double overlap = 0;
        int rank = 0;
        for (int index = 0; index < support.size(); index++) {
            int other = support.token(index);
            overlap += Math.min(p[other], q[other]);
            rank += q[other] > q[token] || q[other] == q[token] && other < token ? 1 : 0;
        }
        return new Level(width, p[token], q[token], q[token] > 0 ? rank : ABSENT, overlap);
    }

    private static Level ranked(int width, double[] p, TokenTree tree, int node, int token) {
        int[] guesses = Arrays.stream(tree.candidates(node)).map(tree::token).toArray();
        int rank = ABSENT;
        for (int index = guesses.length - 1; index >= 0; index--) {
            rank = guesses[index] == token ? index : rank;
        }
        double overlap = Arrays.stream(guesses).distinct().mapToDouble(guess -> p[guess]).sum();
        return new Level(width, p[token], rank == ABSENT ? 0 : 1, rank, overlap);
    }

    private static Optional<DraftDistributions> drawnFrom(Selection selection) {
        return switch (selection) {
            case Selection.PointMass _ -> Optional.empty();
            case Selection.Independent(DraftDistributions rows) -> Optional.of(rows);
            case Selection.WithoutReplacement(DraftDistributions rows) -> Optional.of(rows);
        };
    }

    /// Returns the number of nodes that may be accepted, by depth.
    private static int[] widths(TokenTree tree) {
        var widths = new int[tree.candidateDepth() + 1];
        for (int node = 0; node < tree.size(); node++) {
            if (tree.verified(node)) {
                widths[tree.depth(node)]++;
            }
        }
        return widths;
    }
}
