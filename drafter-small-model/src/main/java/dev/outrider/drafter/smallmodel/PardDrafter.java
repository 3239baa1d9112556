package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.SmallModelSession.KnownTokens;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.SlotStepper;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// A draft model that answers mask tokens and so makes all guesses in one pass. Thread-safe; owns the model.
///
/// @param maskToken  token that stands for each guess
/// @param targetSize number of the target's logits
record PardDrafter(Drafting drafting, DraftModel model, int maskToken, int targetSize)
        implements DraftModel.User {
    private static final List<String> TOKEN_KEYS = List.of("pard_token", "ptd_token_id");

    /// Loads a checkpoint.
    static Drafter open(PardConfig config, DrafterContext context) {
        var model = DraftCheckpoints.load(config.checkpoint(), context.target());
        try {
            if (model.sources().isPresent()) {
                throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                        "'%s' is an encoder-decoder; drafter 'pard' expects a decoder alone"
                                .formatted(config.path()),
                        "Choose the drafter 'small-model' for it.");
            }
            SameVocabulary.require(
                    "pard",
                    config.path(),
                    model,
                    context.target(),
                    "Or use the drafter 'small-model' with 'vocabulary: shared'.");
            return new PardDrafter(
                    config.drafting(),
                    model,
                    LayoutKeys.maskToken(
                            config.maskToken(),
                            ConfigNode.read(ModelPaths.open(config.path()).config()),
                            TOKEN_KEYS,
                            model.vocabularySize()),
                    context.target().description().vocabularySize());
        } catch (OutriderException mismatch) {
            model.network().close();
            throw mismatch;
        }
    }

    @Override
    public DrafterTraits traits() {
        return drafting.traits(false);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        int depth = drafting.plan().maxDepth();
        int rows = Math.addExact(Math.min(request.capacity(), model.maxPositions()), depth);
        var vocabulary = new DraftVocabulary(model.vocabularySize(), targetSize);
        return new Session(
                model,
                maskToken,
                depth,
                drafting.expander(request, vocabulary),
                model.network().newCache(rows));
    }

    /// One sequence in a draft model that answers mask tokens. A round is one pass: the committed tokens that are not in the cache yet, the
    /// root last, and after it a mask token for every further guess. A mask sees the committed tokens and the masks before it, and no
    /// guessed token. Rows of masks are dropped again (docs/reference/algorithms.md A18.2).
    ///
    /// A sequence that is too long for the draft model, or has a token that the draft model does not have, continues without
    /// guesses.
    ///
    /// @see "An et al. 2025 (PARD), section 3.1"
    private static final class Session extends TokensOnlySession {
        private final DraftModel model;
        private final int maskToken;
        private final int maxDepth;
        private final TreeExpander expander;
        private final KvCache cache;
        private final KnownTokens known;

        /// @param maxDepth most guesses in a chain
        /// @param cache    empty; closed with the session
        Session(
                DraftModel model,
                int maskToken,
                int maxDepth,
                TreeExpander expander,
                KvCache cache) {
            this.model = model;
            this.maskToken = maskToken;
            this.maxDepth = maxDepth;
            this.expander = expander;
            this.cache = cache;
            this.known = new KnownTokens(model.vocabularySize());
        }

        @Override
        protected Draft guess(CommittedTokens tokens, DraftBudget budget, Randomness randomness) {
            int depth = depth(tokens, budget);
            if (depth < 1) {
                return Draft.empty(tokens.root());
            }
            // A draft without a verdict is dropped; the root runs again.
            cache.truncate(Math.min(cache.length(), tokens.length() - 1));
            NetworkStepper.feedMany(model.network(), cache, tokens);
            int fresh = tokens.length() - cache.length();
            int[] ids =
                    Arrays.copyOf(tokens.range(cache.length(), tokens.length()), fresh + depth - 1);
            Arrays.fill(ids, fresh, ids.length, maskToken);
            try (var pass =
                    model.network()
                            .forward(
                                    List.of(RowBlock.continuing(cache, ids)),
                                    PassOutputs.lastLogits(depth))) {
                cache.keep(IntStream.range(0, fresh).boxed().toList());
                return expander.expand(
                                new SlotStepper(slot -> pass.logits(fresh - 1 + slot)),
                                tokens.history(),
                                new DraftBudget(budget.maxNodes(), depth),
                                randomness)
                        .draft();
            }
        }

        /// The cache's rows belong to one text.
        @Override
        public boolean restart(int[] text) {
            return false;
        }

        @Override
        public void close() {
            cache.close();
        }

        /// Returns the greatest depth of a draft: the row that guesses at depth d is at position `tokens.length() - 2 + d`.
        private int depth(CommittedTokens tokens, DraftBudget budget) {
            int room = model.maxPositions() - tokens.length() + 1;
            return known.all(tokens) ? Math.min(Math.min(budget.maxDepth(), maxDepth), room) : 0;
        }
    }
}
