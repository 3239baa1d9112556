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
import dev.outrider.spi.target.Tokenizer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Drafts for one sequence with a model that has another tokenizer: any tree, drawn or ranked, of the tokens that both have.
///
/// The model reads the committed text in its own tokens. A text that is too long for the model or its
/// tokenizer continues without guesses.
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
                            new DraftBudget(budget.maxNodes(), depth),
                            randomness)
                    .draft();
        }
    }

    @Override
    public void close() {
        cache.close();
    }

    /// Draft steps of a model with another tokenizer, translated into steps in the target's tokens. The logit of a target token is
    /// the logarithm of the summed exponentials of all the model's tokens that mean it, so that their probabilities add up. Tokens
    /// that the model does not have get minus infinity, so the distribution over the others is normalised again. So every guess is
    /// drawn from a known distribution, which is all that exactness requires.
    ///
    /// Confined to one thread.
    ///
    /// @param stepper the model's own steps
    /// @param tokens  the mapping of tokens
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

    /// The mapping of the draft model's tokens to the target's: tokens with the same text. Several of the draft model's tokens may
    /// mean one of the target's; of these the lowest id is the draft model's input. Immutable, thread-safe.
    ///
    /// @see "Timor et al. 2025 (Accelerating LLM inference with lossless speculative decoding algorithms for heterogeneous
    /// vocabularies), algorithm 4, token-level intersection"
    static final class SharedTokens {
        private static final int NONE = -1;
        private static final char REPLACEMENT = '\ufffd';

        private final int[] targetOf;
        private final int[] drafterOf;

        private SharedTokens(int[] targetOf, int targetSize) {
            this.targetOf = targetOf;
            this.drafterOf = new int[targetSize];
            Arrays.fill(drafterOf, NONE);
            for (int id = targetOf.length - 1; id >= 0; id--) {
                if (targetOf[id] != NONE) {
                    drafterOf[targetOf[id]] = id;
                }
            }
        }

        /// Makes a given mapping.
        ///
        /// @param targetOf   by the draft model's id, the target's token, or -1; not kept
        /// @param targetSize number of the target's logits
        static SharedTokens of(int[] targetOf, int targetSize) {
            return new SharedTokens(targetOf.clone(), targetSize);
        }

        /// Compares the texts of all tokens. Special tokens have no text, and neither have pieces of a character.
        ///
        /// @param drafterSize number of the draft model's logits
        /// @param targetSize  number of the target's logits
        static SharedTokens byText(
                Tokenizer drafts, int drafterSize, Tokenizer targets, int targetSize) {
            var targetTokens = new HashMap<String, Integer>();
            var text = new TokenTexts(targets);
            for (int token = Math.min(targets.vocabularySize(), targetSize) - 1;
                    token >= 0;
                    token--) {
                int id = token;
                text.of(token).ifPresent(each -> targetTokens.put(each, id));
            }
            var targetOf = new int[drafterSize];
            Arrays.fill(targetOf, NONE);
            var ownText = new TokenTexts(drafts);
            for (int id = 0; id < Math.min(drafts.vocabularySize(), drafterSize); id++) {
                targetOf[id] =
                        ownText.of(id)
                                .map(each -> targetTokens.getOrDefault(each, NONE))
                                .orElse(NONE);
            }
            return new SharedTokens(targetOf, targetSize);
        }

        /// Returns the number of the target's tokens that can be guessed.
        int size() {
            return (int) Arrays.stream(drafterOf).filter(id -> id != NONE).count();
        }

        /// Number of the draft model's tokens.
        int drafterSize() {
            return targetOf.length;
        }

        /// Number of the target's tokens.
        int targetSize() {
            return drafterOf.length;
        }

        /// The target's token for an id of the draft model; -1 if there is none.
        int targetOf(int id) {
            return targetOf[id];
        }

        /// The id of the draft model for a token of the target; -1 if there is none.
        int drafterOf(int token) {
            return drafterOf[token];
        }

        /// The text that a token adds to the text before it.
        private static final class TokenTexts {
            private final Tokenizer tokenizer;
            private final int[] before;
            private final String textBefore;

            TokenTexts(Tokenizer tokenizer) {
                this.tokenizer = tokenizer;
                // After a letter, a space in front of a word is not dropped as at the beginning of
                // the text.
                this.before = tokenizer.encode("a", false);
                this.textBefore = tokenizer.decode(before);
            }

            Optional<String> of(int id) {
                int[] ids = Arrays.copyOf(before, before.length + 1);
                ids[before.length] = id;
                var text = tokenizer.decode(ids);
                if (!text.startsWith(textBefore)) {
                    return Optional.empty();
                }
                var added = text.substring(textBefore.length());
                return added.isEmpty() || added.indexOf(REPLACEMENT) >= 0
                        ? Optional.empty()
                        : Optional.of(added);
            }
        }
    }
}
