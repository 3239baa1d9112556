package dev.outrider.treeverify.verdict;

import dev.outrider.spi.Selection;
import dev.outrider.spi.Selection.Independent;
import dev.outrider.spi.Selection.PointMass;
import dev.outrider.spi.Selection.WithoutReplacement;

/// Rules that a device can decide by, each equal to the engine's rule of the same name.
public enum DeviceRule {
    /// Follow the argmax.
    GREEDY,
    /// Draw from the target's law and follow the child that carries the token.
    ONE_HOT,
    /// Speculative sampling along a chain whose tokens were not drawn from a known law.
    CHAIN_ONE_HOT,
    /// Speculative sampling along a chain that was drawn from q.
    CHAIN_SAMPLED;

    /// Rejection along a chain, for a draft chosen in some way.
    static DeviceRule chain(Selection selection) {
        return switch (selection) {
            case PointMass() -> CHAIN_ONE_HOT;
            case Independent _, WithoutReplacement _ -> CHAIN_SAMPLED;
        };
    }

    /// Whether the verdict goes along a chain by acceptance tests, not along the children of chosen tokens.
    public boolean alongChain() {
        return switch (this) {
            case CHAIN_ONE_HOT, CHAIN_SAMPLED -> true;
            case GREEDY, ONE_HOT -> false;
        };
    }
}
