package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftWithRows;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.WorkAhead.Upcoming;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Drafts on before the draft is decided about, as if its first path, the one of the best or first drawn guesses, were accepted
/// down to the leaf and a guess followed.
///
/// Confined to one thread.
///
/// @param expander     grows the drafts
/// @param next         guesses the token after the leaf
/// @param maxPositions longest sequence of the draft model
/// @see "Liu et al. 2024 (PEARL), post-verify"
record DraftContinuer(TreeExpander expander, NextToken next, int maxPositions) {
    /// Runs as much as is wanted.
    ///
    /// @param passes   run rows after those of the draft
    /// @param tokens   committed tokens; not changed
    /// @param proposed the draft
    /// @return what was run; nothing if there is no path to go on from, or no room for what follows
    Optional<Continuation> run(
            RowsAhead passes, CommittedTokens tokens, DraftWithRows proposed, Upcoming upcoming) {
        var tree = proposed.draft().tree();
        var path = firstPath(tree);
        int depthLeft = maxPositions - (tokens.length() + path.size() + 1) + 1;
        int depth = Math.min(upcoming.budget().maxDepth(), depthLeft);
        if (path.isEmpty() || depth < 1 || !upcoming.wanted().getAsBoolean()) {
            return Optional.empty();
        }
        int leaf = path.getLast();
        var rows = new ArrayList<Integer>();
        path.subList(0, path.size() - 1).forEach(node -> rows.add(proposed.row(node)));
        int above = rows.isEmpty() ? StepInput.ROOT : rows.getLast();
        int leafRow = passes.next();
        float[] logits = passes.run(new StepInput(tree.token(leaf), above, path.size()));
        rows.add(leafRow);
        var continuation = new Continuation(path, rows);
        if (!upcoming.wanted().getAsBoolean()) {
            return Optional.of(continuation);
        }
        var text = new CommittedTokens();
        text.append(tokens.range(0, tokens.length()));
        path.forEach(node -> text.append(tree.token(node)));
        int guess = next.guess(logits, text.history(), leaf, upcoming.ending());
        text.append(guess);
        int row = passes.next();
        continuation.follow(guess, row, passes.run(new StepInput(guess, leafRow, path.size() + 1)));
        expander.expand(
                new AheadStepper(passes, continuation, row, path.size() + 1, upcoming.wanted()),
                text.history(),
                upcoming.budget().within(upcoming.budget().maxNodes(), depth),
                upcoming.next());
        return Optional.of(continuation);
    }

    /// Nodes from below the root down to a leaf, by the first child of each.
    private static List<Integer> firstPath(TokenTree tree) {
        var path = new ArrayList<Integer>();
        for (int[] below = tree.candidates(0); below.length > 0; ) {
            path.add(below[0]);
            below = tree.candidates(below[0]);
        }
        return path;
    }
}
