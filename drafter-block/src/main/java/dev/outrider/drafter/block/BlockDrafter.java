package dev.outrider.drafter.block;

import dev.outrider.common.CacheMemory;
import dev.outrider.drafter.block.BlockLayout.Slots;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.feature.CapturedRows;
import dev.outrider.drafting.head.HeadSession;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A drafter that guesses a block of tokens in one pass. Thread-safe; owns its networks.
///
/// @param backbone            runs blocks
/// @param markov              adds a bias to logits that depends on the token before
/// @param confidence          predicts acceptance
/// @param slots               the block
/// @param captured            the target's states of a position of the context, in order of concatenation
/// @param vocabulary          maps logits to tokens
/// @param drafting            shape, sampling and ends of the drafts
/// @param acceptanceThreshold least predicted acceptance of a guess; 0 for no limit
/// @param parameters          number of the drafter's own parameters
/// @param digest              of the weights
record BlockDrafter(
        BlockNetwork backbone,
        Optional<MarkovHead> markov,
        Optional<ConfidenceHead> confidence,
        Slots slots,
        List<HiddenState> captured,
        DraftVocabulary vocabulary,
        Drafting drafting,
        double acceptanceThreshold,
        long parameters,
        String digest)
        implements Drafter, CacheMemory {
    /// Most positions in one pass.
    private static final int FEED_ROWS = 128;

    BlockDrafter {
        captured = List.copyOf(captured);
    }

    @Override
    public DrafterTraits traits() {
        return drafting.traits(true);
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.copyOf(captured);
    }

    @Override
    public long bytesPerPosition() {
        return VectorNetwork.cacheBytesPerRow(backbone.config());
    }

    @Override
    public DraftSession open(DraftRequest request) {
        int positions = backbone.config().maxPositions();
        int rows = Math.min(Math.addExact(request.capacity(), slots.size()), positions);
        return new Session(this, drafting.expander(request, vocabulary), backbone.newCache(rows));
    }

    @Override
    public void close() {
        backbone.close();
        markov.ifPresent(MarkovHead::close);
    }

    /// One sequence. Its cache contains the features of every position before the root, the last committed token; a round
    /// runs the block that begins with the root once, for every tree that grows from it. Features wait until the next draft is
    /// asked for, so that a sequence that ends has no further cost. A sequence longer than the backbone's positions
    /// continues without guesses.
    ///
    /// @see "Chen, Liang, Liu 2026 (DFlash), section 3"
    private static final class Session extends HeadSession {
        private final BlockDrafter drafter;
        private final TreeExpander expander;
        private final KvCache cache;
        private final CapturedRows pending;

        /// @param cache empty; closed with the session
        Session(BlockDrafter drafter, TreeExpander expander, KvCache cache) {
            this.drafter = drafter;
            this.expander = expander;
            this.cache = cache;
            pending =
                    new CapturedRows(
                            drafter.captured(),
                            drafter.backbone().config().fusion().orElseThrow().capturedWidth());
        }

        @Override
        protected void read(HiddenStates states, int index, int next) {
            if (pending.size() == FEED_ROWS) {
                drafter.backbone().keep(cache, features());
                pending.clear();
            }
            if (cache.length() + pending.size() < cache.capacity()) {
                pending.add(states, index, next);
            }
        }

        @Override
        protected int depth() {
            boolean fits = tokens().length() - 1 + drafter.slots().size() <= cache.capacity();
            return fits ? drafter.slots().guesses() : 0;
        }

        @Override
        protected Draft guess(DraftBudget budget, Randomness randomness) {
            var features =
                    Optional.of(pending).filter(each -> each.size() > 0).map(_ -> features());
            var stepper =
                    new BlockStepper(drafter, cache, features, tokens().root(), budget.maxDepth());
            pending.clear();
            return expand(expander, stepper, budget, randomness);
        }

        @Override
        public void close() {
            pending.close();
            cache.close();
        }

        private FeatureRows features() {
            return new FeatureRows(pending.features(), pending.size(), FeatureRows.Source.TARGET);
        }
    }
}
