package dev.outrider.engine.acceptance;

import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.Selection.Independent;
import dev.outrider.spi.Selection.PointMass;
import dev.outrider.spi.Selection.WithoutReplacement;

/// The law S that the next sibling of a node was drawn from, while its siblings are judged in draw order.
/// Confined to one thread and one node.
final class SiblingLaw {
    private double[] law;
    private final boolean removesDrawn;

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

    double[] row() {
        return law;
    }

    double of(int token) {
        return law[token];
    }

    /// Goes on to the next sibling: without replacement it cannot carry this token again.
    void drawn(int token) {
        if (!removesDrawn) {
            return;
        }
        double left = 0;
        for (int other = 0; other < law.length; other++) {
            left += other == token ? 0 : law[other];
        }
        var next = new double[law.length];
        if (left > 0) {
            for (int other = 0; other < law.length; other++) {
                next[other] = other == token ? 0 : law[other] / left;
            }
        }
        law = next;
    }
}
