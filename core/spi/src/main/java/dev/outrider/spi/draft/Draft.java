package dev.outrider.spi.draft;

import dev.outrider.spi.tree.TokenTree;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The proposal of a drafter for one round: guessed tokens and how they were chosen.
///
/// @param tree      the guesses below the last committed token; the root alone means "nothing to propose"
/// @param selection the distribution the guesses were drawn from
/// @param drafter   in reports, the name of the drafter that made the draft, if there are several; otherwise empty
/// @param reason    a few words for the record of the round: the reason of this draft, from drafters that choose between others;
///                  usually empty
@API(status = Status.STABLE, since = "2")
public record Draft(TokenTree tree, Selection selection, String drafter, String reason) {
    /// A draft of one drafter.
    ///
    /// @param tree      the guesses below the last committed token
    /// @param selection the distribution the guesses were drawn from
    public Draft(TokenTree tree, Selection selection) {
        this(tree, selection, "", "");
    }

    /// {@return a draft without guesses; the round is then one step of plain decoding}
    ///
    /// @param rootToken the last committed token
    public static Draft empty(int rootToken) {
        return new Draft(TokenTree.rootOnly(rootToken), new Selection.PointMass());
    }
}
