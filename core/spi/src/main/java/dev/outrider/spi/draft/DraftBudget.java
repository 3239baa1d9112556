package dev.outrider.spi.draft;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Limits of a drafter's proposal in one round.
///
/// @param maxNodes nodes below the root, unverified ones included, at least 0
/// @param maxDepth depth of the deepest node that may be accepted, between 0 and `maxNodes`; unverified nodes
///                 may lie deeper
/// @param rowCost what a row costs, in accepted tokens, between 0 and 1: a drafter that predicts acceptance leaves out guesses whose
///                 probability of being accepted, all guesses before included, is less. It may look at tokens before a guess, never at the guess
@API(status = Status.STABLE, since = "2")
public record DraftBudget(int maxNodes, int maxDepth, double rowCost) {
    /// Checks the limits.
    public DraftBudget {
        if (maxNodes < 0) {
            throw new IllegalArgumentException("maxNodes %d is negative".formatted(maxNodes));
        }
        if (maxDepth < 0 || maxDepth > maxNodes) {
            throw new IllegalArgumentException(
                    "maxDepth %d is not between 0 and maxNodes %d".formatted(maxDepth, maxNodes));
        }
        if (!(rowCost >= 0 && rowCost <= 1)) {
            throw new IllegalArgumentException(
                    "rowCost %s is not between 0 and 1".formatted(rowCost));
        }
    }

    /// A budget of rows that cost nothing.
    ///
    /// @param maxNodes nodes below the root, unverified ones included, at least 0
    /// @param maxDepth depth of the deepest node that may be accepted, between 0 and `maxNodes`
    public DraftBudget(int maxNodes, int maxDepth) {
        this(maxNodes, maxDepth, 0);
    }

    /// {@return the same with other limits}
    ///
    /// @param nodes below the root, unverified ones included, at least 0
    /// @param depth of the deepest node that may be accepted, between 0 and `nodes`
    public DraftBudget within(int nodes, int depth) {
        return new DraftBudget(nodes, depth, rowCost);
    }

    /// {@return a budget for a chain of at most `length` tokens}
    ///
    /// @param length most tokens, at least 0
    public static DraftBudget chain(int length) {
        return new DraftBudget(length, length);
    }
}
