package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.nn.network.KvCache;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.sampling.Randomness;

/// Drafts for one sequence with a model that has another tokenizer: any tree, drawn or ranked, of the tokens both have.
///
/// The model reads the committed text in its own tokens. A text that outgrows it goes on without guesses.
final class SharedTokensSession extends TokensOnlySession {
    private final DraftModel model;
    private final TreeExpander expander;
    private final SharedTokens shared;
    private final ReencodedText text;
    private final KvCache cache;

    /// @param expander grows drafts in the target's tokens
    /// @param cache    an empty cache of the network; closed with the session
    SharedTokensSession(
            DraftModel model,
            TreeExpander expander,
            SharedTokens shared,
            ReencodedText text,
            KvCache cache) {
        this.model = model;
        this.expander = expander;
        this.shared = shared;
        this.text = text;
        this.cache = cache;
    }

    @Override
    protected Draft guess(CommittedTokens tokens, DraftBudget budget, Randomness randomness) {
        int[] ids = text.encode(tokens.range(0, tokens.length()));
        int depth = Math.min(budget.maxDepth(), model.maxPositions() - ids.length + 1);
        if (depth < 1 || ids.length == 0) {
            return Draft.empty(tokens.root());
        }
        var own = text.prepare(cache, ids);
        try (var stepper = new NetworkStepper(model.network(), cache, own)) {
            return expander.expand(
                            new TranslatingStepper(stepper, shared),
                            tokens.history(),
                            budget.within(budget.maxNodes(), depth),
                            randomness)
                    .draft();
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
