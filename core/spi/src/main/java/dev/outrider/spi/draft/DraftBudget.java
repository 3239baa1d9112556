package dev.outrider.spi.draft;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Limits of a drafter's proposal in one round.
///
/// @param maxNodes nodes below the root, unverified ones included, at least 0
/// @param maxDepth depth of the deepest node that may be accepted, between 0 and `maxNodes`; unverified nodes
///                 may lie deeper
@API(status = Status.STABLE, since = "2")
public record DraftBudget(int maxNodes, int maxDepth) {
    /// Checks the limits.
    public DraftBudget {
        if (maxNodes < 0) {
            throw new IllegalArgumentException("maxNodes %d is negative".formatted(maxNodes));
        }
        if (maxDepth < 0 || maxDepth > maxNodes) {
            throw new IllegalArgumentException(
                    "maxDepth %d is not between 0 and maxNodes %d".formatted(maxDepth, maxNodes));
        }
    }

    /// {@return a budget for a chain of at most `length` tokens}
    ///
    /// @param length most tokens, at least 0
    public static DraftBudget chain(int length) {
        return new DraftBudget(length, length);
    }
}
