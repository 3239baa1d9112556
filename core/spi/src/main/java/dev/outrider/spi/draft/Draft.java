package dev.outrider.spi.draft;

import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The proposal of a drafter for one round: guessed tokens and how they were chosen.
///
/// @param tree          the guesses below the last committed token; the root alone means "nothing to propose"
/// @param selection     the distribution the guesses were drawn from
/// @param contributions which drafter guessed which nodes, for reports, where several drafters made the draft; empty for one drafter's
/// @param reason        a few words for the record of the round: why this draft was chosen, for drafters that choose between others;
///                      usually empty
@API(status = Status.STABLE, since = "2")
public record Draft(
        TokenTree tree, Selection selection, List<Contribution> contributions, String reason) {
    /// Copies the contributions.
    public Draft {
        contributions = List.copyOf(contributions);
    }

    /// A draft of several drafters.
    ///
    /// @param tree          the guesses below the last committed token
    /// @param selection     the distribution the guesses were drawn from
    /// @param contributions which drafter guessed which nodes
    public Draft(TokenTree tree, Selection selection, List<Contribution> contributions) {
        this(tree, selection, contributions, "");
    }

    /// A draft of one drafter.
    ///
    /// @param tree      the guesses below the last committed token
    /// @param selection the distribution the guesses were drawn from
    public Draft(TokenTree tree, Selection selection) {
        this(tree, selection, List.of());
    }

    /// {@return a draft without guesses; the round is then one step of plain decoding}
    ///
    /// @param rootToken the last committed token
    public static Draft empty(int rootToken) {
        return new Draft(TokenTree.rootOnly(rootToken), new Selection.PointMass());
    }

    /// The nodes that one of several drafters guessed in a draft that they made together. Several drafters may have guessed the same node.
    ///
    /// @param drafter the drafter's name in reports
    /// @param nodes   the nodes it guessed, ascending, without the root; empty if it proposed nothing
    public record Contribution(String drafter, List<Integer> nodes) {
        /// Copies the nodes.
        public Contribution {
            nodes = List.copyOf(nodes);
        }

        /// {@return every node of a tree as one drafter's guess}
        ///
        /// @param drafter the drafter's name in reports
        /// @param tree    what it proposed
        public static Contribution whole(String drafter, TokenTree tree) {
            return new Contribution(drafter, IntStream.range(1, tree.size()).boxed().toList());
        }
    }
}
