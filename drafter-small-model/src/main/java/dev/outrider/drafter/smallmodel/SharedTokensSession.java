package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.nn.network.KvCache;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.sampling.Randomness;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

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

    /// Draft steps of a model with tokens of its own, seen as steps in the target's tokens. A token's logit is the logarithm of the
    /// summed exponentials of all the model's tokens that mean it, so that their probabilities add up; tokens the model has not
    /// got minus infinity, which leaves the distribution of those it has, normalised anew. Whatever is drawn from that is drawn from a distribution that is
    /// known, which is all that exactness asks.
    ///
    /// Confined to one thread.
    ///
    /// @param stepper the model's own steps
    /// @param tokens  which token means which
    record TranslatingStepper(DraftStepper stepper, SharedTokens tokens) implements DraftStepper {
        @Override
        public LogitRows root() {
            return translated(stepper.root());
        }

        @Override
        public LogitRows step(List<StepInput> nodes) {
            return translated(
                    stepper.step(
                            nodes.stream()
                                    .map(node ->
                                            new StepInput(
                                                    tokens.drafterOf(node.token()),
                                                    node.parentRow(),
                                                    node.depth()))
                                    .toList()));
        }

        private LogitRows translated(LogitRows rows) {
            return index -> MemorySegment.ofArray(translated(rows.row(index), tokens));
        }

        /// One row.
        ///
        /// @param logits shape `[drafterSize]`
        /// @return shape `[targetSize]`
        static float[] translated(MemorySegment logits, SharedTokens tokens) {
            var sums = new float[tokens.targetSize()];
            Arrays.fill(sums, Float.NEGATIVE_INFINITY);
            for (int id = 0; id < tokens.drafterSize(); id++) {
                int token = tokens.targetOf(id);
                if (token >= 0) {
                    float logit = logits.getAtIndex(ValueLayout.JAVA_FLOAT, id);
                    sums[token] = logSum(sums[token], logit);
                }
            }
            return sums;
        }

        private static float logSum(float one, float other) {
            float larger = Math.max(one, other);
            float smaller = Math.min(one, other);
            return smaller == Float.NEGATIVE_INFINITY
                    ? larger
                    : (float) (larger + Math.log1p(Math.exp((double) smaller - larger)));
        }
    }
}
