package dev.outrider.spi.draft;

import dev.outrider.spi.tree.TokenTree;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What a drafter proposes for one round: guessed tokens and how they were chosen.
///
/// @param tree      the guesses below the last committed token; the root alone means "nothing to propose"
/// @param selection the distribution the guesses were drawn from
@API(status = Status.STABLE, since = "2")
public record Draft(TokenTree tree, Selection selection) {
    /// {@return a draft without guesses; the round is then one step of plain decoding}
    ///
    /// @param rootToken the last committed token
    public static Draft empty(int rootToken) {
        return new Draft(TokenTree.rootOnly(rootToken), new Selection.PointMass());
    }
}
