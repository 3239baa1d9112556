package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection.Independent;
import dev.outrider.spi.draft.Selection.PointMass;
import dev.outrider.spi.draft.Selection.WithoutReplacement;
import java.util.Arrays;

/// The distribution S that the next sibling of a node was drawn from, while its siblings are judged in draw order.
/// Confined to one thread and one node.
final class SiblingDistribution {
    /// If the remaining mass is above this, subtraction keeps nearly all digits; below it the mass is summed again.
    private static final double PRECISE = .25;

    private static final int NONE = -1;

    private final double[] distribution;
    private final boolean removesDrawn;
    private int[] removed = new int[0];
    private double left = 1;

    /// A token that is removed before the next read.
    private int last = NONE;

    private SiblingDistribution(double[] distribution, boolean removesDrawn) {
        this.distribution = distribution;
        this.removesDrawn = removesDrawn;
    }

    /// The distribution of the first child of `node`.
    ///
    /// @throws IllegalArgumentException if the draft was not drawn from known distributions
    static SiblingDistribution at(Draft draft, int node) {
        return switch (draft.selection()) {
            case Independent(DraftDistributions distributions) ->
                    new SiblingDistribution(distributions.row(node), false);
            case WithoutReplacement(DraftDistributions distributions) ->
                    new SiblingDistribution(distributions.row(node), true);
            case PointMass() ->
                    throw new IllegalArgumentException(
                            "the draft was not drawn from known distributions, which this rule divides by");
        };
    }

    double of(int token) {
        if (last != NONE) {
            removeLast();
        }
        return removed.length == 0 ? distribution[token] : ofTheRest(token);
    }

    private double ofTheRest(int token) {
        for (int other : removed) {
            if (other == token) {
                return 0;
            }
        }
        return distribution[token] / left;
    }

    /// Continues with the next sibling, if there is one: without replacement it cannot carry this token again.
    void drawn(int token) {
        if (!removesDrawn) {
            return;
        }
        if (last != NONE) {
            removeLast();
        }
        last = token;
    }

    private void removeLast() {
        removed = Arrays.copyOf(removed, removed.length + 1);
        removed[removed.length - 1] = last;
        double rest = left - distribution[last];
        last = NONE;
        left = rest >= PRECISE ? rest : sumOfTheRest();
    }

    private double sumOfTheRest() {
        double rest = 0;
        int[] gaps = Arrays.copyOf(removed, removed.length + 1);
        gaps[removed.length] = distribution.length;
        Arrays.sort(gaps);
        int start = 0;
        for (int gap : gaps) {
            for (int token = start; token < gap; token++) {
                rest += distribution[token];
            }
            start = gap + 1;
        }
        return rest > 0 ? rest : 1; // nothing is left, and every token's share of it is 0
    }
}
