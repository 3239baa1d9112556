package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;

/// Speculative sampling along a chain: accept x with probability `min(1, p(x) / q(x))`; at the first
/// rejection draw from `max(p - q, 0)`, normalised; after the last acceptance draw from p. See [SiblingRejection].
///
/// A guess that was not drawn from a known distribution (argmax, lookup) has a one-hot q.
///
/// @see "Leviathan et al. 2023, algorithm 1; Chen et al. 2023, algorithm 2"
public final class TokenRejectionRule extends SiblingRejection {
    public TokenRejectionRule() {
        super(
                RuleTraits.exact(
                        "token",
                        Selection.Kind.any(),
                        TreeShape.CHAIN,
                        "Leviathan et al. 2023, algorithm 1"));
    }

    @Override
    int chosen(Draft draft, int node, Residual left, Randomness randomness) {
        if (!(draft.selection() instanceof Selection.PointMass)) {
            return super.chosen(draft, node, left, randomness);
        }
        int guess = node + 1;
        int token = draft.tree().token(guess);
        if (randomness.accept(guess, left.of(token), 1)) {
            return guess;
        }
        left.remove(token);
        return -1;
    }
}
