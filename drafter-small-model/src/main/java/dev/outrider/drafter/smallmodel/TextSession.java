package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.nn.network.KvCache;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;

/// Drafts for one sequence with a model that has another tokenizer: the model continues the text with its own most probable tokens,
/// and the target's tokenizer encodes the new text. The chain is a function of the text, so it is a point mass.
///
/// A text that is too long for the model or a tokenizer continues without guesses, and so does a text whose tokens change when it
/// grows.
///
/// @see "Timor et al. 2025, algorithm 2, string-level exact match"
final class TextSession extends TokensOnlySession {
    private static final int TAIL = 16;

    private final DraftModel model;
    private final int length;
    private final TreeExpander expander;
    private final Tokenizer targets;
    private final ReencodedText text;
    private final KvCache cache;

    /// @param length   most tokens of the draft model in a round
    /// @param expander grows chains of the draft model's own tokens
    /// @param cache    an empty cache of the network; closed with the session
    TextSession(
            DraftModel model,
            int length,
            TreeExpander expander,
            Tokenizer targets,
            ReencodedText text,
            KvCache cache) {
        this.model = model;
        this.length = length;
        this.expander = expander;
        this.targets = targets;
        this.text = text;
        this.cache = cache;
    }

    @Override
    protected Draft guess(CommittedTokens tokens, DraftBudget budget, Randomness randomness) {
        int[] committed = tokens.range(0, tokens.length());
        int[] guesses = budget.maxDepth() == 0 ? new int[0] : guesses(committed, randomness);
        int depth = Math.min(Math.min(budget.maxDepth(), length), guesses.length);
        var chain = TokenTree.chain(tokens.root(), Arrays.copyOf(guesses, depth));
        return new Draft(chain, new Selection.PointMass());
    }

    private int[] guesses(int[] committed, Randomness randomness) {
        int[] ids = text.encode(committed);
        int most = Math.min(length, model.maxPositions() - ids.length + 1);
        if (most < 1 || ids.length == 0) {
            return new int[0];
        }
        var own = text.prepare(cache, ids);
        try (var stepper = new NetworkStepper(model.network(), cache, own)) {
            var draft =
                    expander.expand(stepper, own.history(), DraftBudget.chain(most), randomness);
            int[] chain = draft.draft().tree().tokens();
            return cut(committed, ids, Arrays.copyOfRange(chain, 1, chain.length));
        }
    }

    /// Returns the target's tokens of the draft model's text.
    private int[] cut(int[] committed, int[] ids, int[] written) {
        var before = model.tokenizer().decode(ids);
        var grown = Arrays.copyOf(ids, ids.length + written.length);
        System.arraycopy(written, 0, grown, ids.length, written.length);
        var after = model.tokenizer().decode(grown);
        if (!after.startsWith(before)) {
            return new int[0];
        }
        return continuation(committed, after.substring(before.length()));
    }

    /// A text's tokens depend on the text before it, so the last committed tokens are encoded with it; if that changes them, the
    /// new text is encoded alone.
    private int[] continuation(int[] committed, String more) {
        int from = Math.max(0, committed.length - TAIL);
        var tail = targets.decode(Arrays.copyOfRange(committed, from, committed.length));
        var before = ReencodedText.encoded(targets, tail, false);
        return ReencodedText.encoded(targets, tail + more, false)
                .filter(whole -> before.filter(ids -> ReencodedText.begins(whole, ids)).isPresent())
                .map(whole -> Arrays.copyOfRange(whole, before.orElseThrow().length, whole.length))
                .or(() -> ReencodedText.encoded(targets, more, false))
                .orElseGet(() -> new int[0]);
    }

    @Override
    public void close() {
        cache.close();
    }
}
