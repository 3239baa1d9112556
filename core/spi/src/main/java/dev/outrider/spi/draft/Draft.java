package dev.outrider.spi.draft;

import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What a drafter proposes for one round: guessed tokens and how they were chosen.
///
/// @param tree          the guesses below the last committed token; the root alone means "nothing to propose"
/// @param selection     the distribution the guesses were drawn from
/// @param contributions who guessed what, for reports, where several drafters made the draft; empty for one drafter's
@API(status = Status.STABLE, since = "2")
public record Draft(TokenTree tree, Selection selection, List<Contribution> contributions) {
    /// Copies the contributions.
    public Draft {
        contributions = List.copyOf(contributions);
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
}
