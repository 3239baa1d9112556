package dev.outrider.serving;

import dev.outrider.engine.scoring.TokenScore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// One round of a request.
///
/// @param round   number of the round, from 0
/// @param tokens  emitted in it, at least one
/// @param drafted nodes of its draft below the root
/// @param depth   depth of its draft
/// @param nodes   its draft, the root first; empty unless the listener [wants drafts][ServingListener#wantsDrafts]
/// @param nanos   the round's own time, its share of the target's pass included
public record ServedRound(
        int round, List<Emitted> tokens, int drafted, int depth, List<Node> nodes, long nanos) {
    /// Copies the lists.
    public ServedRound {
        tokens = List.copyOf(tokens);
        nodes = List.copyOf(nodes);
    }

    /// An emitted token.
    ///
    /// @param token  id
    /// @param origin of the token
    /// @param score  the target's score of it, if that was requested
    public record Emitted(int token, Origin origin, Optional<TokenScore> score) {}

    /// The origin of an emitted token.
    public enum Origin {
        /// A guess that the rule accepted.
        ACCEPTED,
        /// The target's own token instead of rejected guesses.
        CORRECTION,
        /// The target's own token after a draft that was accepted to its end.
        BONUS,
        /// The target's own token in a round without guesses.
        PLAIN
    }

    /// A node of a draft.
    ///
    /// @param token       id
    /// @param parent      index of its parent; -1 for the root
    /// @param probability of the drafter for it, if the drafter drew from a distribution
    /// @param accepted    whether it is on the path that was accepted
    public record Node(int token, int parent, OptionalDouble probability, boolean accepted) {}
}
