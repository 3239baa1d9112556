package dev.outrider.engine.acceptance;

import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.Selection.Independent;
import dev.outrider.spi.Selection.PointMass;
import dev.outrider.spi.Selection.WithoutReplacement;
import java.util.Arrays;

/// The law S that the next sibling of a node was drawn from, while its siblings are judged in draw order.
/// Confined to one thread and one node.
final class SiblingLaw {
    /// What is left of a law is found by subtraction as long as that keeps nearly all digits.
    private static final double PRECISE = .25;

    private final double[] law;
    private final boolean removesDrawn;
    private int[] removed = new int[0];
    private double left = 1;

    private SiblingLaw(double[] law, boolean removesDrawn) {
        this.law = law;
        this.removesDrawn = removesDrawn;
    }

    /// The law of the first child of `node`.
    ///
    /// @throws IllegalArgumentException if the draft was not drawn from known laws
    static SiblingLaw at(Draft draft, int node) {
        return switch (draft.selection()) {
            case Independent(DraftLaws laws) -> new SiblingLaw(laws.row(node), false);
            case WithoutReplacement(DraftLaws laws) -> new SiblingLaw(laws.row(node), true);
            case PointMass() ->
                    throw new IllegalArgumentException(
                            "the draft was not drawn from known laws, which this rule divides by");
        };
    }

    double of(int token) {
        return removed.length == 0 ? law[token] : ofTheRest(token);
    }

    private double ofTheRest(int token) {
        for (int other : removed) {
            if (other == token) {
                return 0;
            }
        }
        return law[token] / left;
    }

    /// Goes on to the next sibling: without replacement it cannot carry this token again.
    void drawn(int token) {
        if (!removesDrawn) {
            return;
        }
        removed = Arrays.copyOf(removed, removed.length + 1);
        removed[removed.length - 1] = token;
        double rest = left - law[token];
        left = rest >= PRECISE ? rest : sumOfTheRest();
    }

    private double sumOfTheRest() {
        double rest = 0;
        int[] gaps = Arrays.copyOf(removed, removed.length + 1);
        gaps[removed.length] = law.length;
        Arrays.sort(gaps);
        int start = 0;
        for (int gap : gaps) {
            for (int token = start; token < gap; token++) {
                rest += law[token];
            }
            start = gap + 1;
        }
        return rest > 0 ? rest : 1; // nothing is left, and every token's share of it is 0
    }
}
