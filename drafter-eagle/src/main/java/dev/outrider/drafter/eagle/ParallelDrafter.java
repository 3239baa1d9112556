package dev.outrider.drafter.eagle;

import dev.outrider.common.CacheMemory;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.SlotStepper;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.feature.CapturedRows;
import dev.outrider.drafting.head.HeadSession;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// A drafter whose layers make all guesses in one pass. Thread-safe; owns the network.
///
/// @param captured   the target's states of a row, in the order of concatenation
/// @param mask       input of the rows of guesses
/// @param vocabulary maps logits to tokens
/// @param parameters number of the layers' own parameters
/// @param digest     of the weights
record ParallelDrafter(
        FeatureNetwork network,
        List<HiddenState> captured,
        EagleLayout.Mask mask,
        DraftVocabulary vocabulary,
        Drafting drafting,
        long parameters,
        String digest)
        implements Drafter, CacheMemory {
    /// Most rows of true features in one pass.
    private static final int FEED_ROWS = 128;

    ParallelDrafter {
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
        return VectorNetwork.cacheBytesPerRow(network.config());
    }

    @Override
    public DraftSession open(DraftRequest request) {
        int positions = network.config().maxPositions();
        int rows =
                Math.addExact(Math.min(request.capacity(), positions), drafting.plan().maxDepth());
        return new Session(this, drafting.expander(request, vocabulary), network.newCache(rows));
    }

    @Override
    public void close() {
        network.close();
    }

    /// One sequence. Row t of the cache pairs the target's feature of position t with token t + 1, as in EAGLE-3. A round
    /// is one pass: the new rows of true features, the last of which is the root's, and after it a row of mask token and
    /// mask feature for every further guess. A row sees the rows before it, so a guess sees the committed prefix and the
    /// rows of shallower guesses, which do not contain the guessed tokens. Rows of masks are dropped again
    /// (docs/reference/algorithms.md A18.1).
    ///
    /// Rows wait until the next draft is asked for, so that a sequence that ends has no further cost. A sequence of one token has
    /// no feature yet, so its first draft is empty. A sequence longer than the layers' positions continues without guesses.
    ///
    /// @see "Hui et al. 2026 (P-EAGLE), section 3"
    private static final class Session extends HeadSession {
        private final ParallelDrafter head;
        private final TreeExpander expander;
        private final KvCache cache;
        private final CapturedRows pending;
        private final int maxPositions;
        private boolean ran;
        private boolean outgrown;

        /// @param cache empty; closed with the session
        Session(ParallelDrafter head, TreeExpander expander, KvCache cache) {
            this.head = head;
            this.expander = expander;
            this.cache = cache;
            var config = head.network().config();
            maxPositions = config.maxPositions();
            pending =
                    new CapturedRows(
                            head.captured(), config.fusion().orElseThrow().capturedWidth());
        }

        @Override
        protected void read(HiddenStates states, int index, int next) {
            if (ran) {
                pending.clear();
                ran = false;
            }
            outgrown |= cache.length() + pending.size() >= maxPositions;
            if (outgrown) {
                return;
            }
            if (pending.size() == FEED_ROWS) {
                feed();
            }
            pending.add(states, index, next);
        }

        /// The row that guesses at depth d is at position `tokens().length() - 3 + d`.
        @Override
        protected int depth() {
            return outgrown || pending.size() == 0
                    ? 0
                    : Math.min(
                            head.drafting().plan().maxDepth(),
                            maxPositions - tokens().length() + 2);
        }

        @Override
        protected Draft guess(DraftBudget budget, Randomness randomness) {
            if (ran) {
                cache.truncate(cache.length() - 1);
            }
            int first = ran ? pending.size() - 1 : 0;
            int fresh = pending.size() - first;
            try (var pass = pass(first, budget.maxDepth())) {
                cache.keep(IntStream.range(0, fresh).boxed().toList());
                ran = true;
                return expand(
                        expander,
                        new SlotStepper(slot -> pass.logits(fresh - 1 + slot)),
                        budget,
                        randomness);
            }
        }

        @Override
        public void close() {
            pending.close();
            cache.close();
        }

        /// Runs and keeps the waiting rows, without the root's.
        private void feed() {
            int rows = pending.size();
            head.network()
                    .forward(
                            RowBlock.continuing(cache, pending.tokens()),
                            new FeatureRows(pending.features(), rows, FeatureRows.Source.TARGET),
                            new PassOutputs(PassOutputs.LogitRows.NONE, Set.of()))
                    .close();
            cache.keep(IntStream.range(0, rows).boxed().toList());
            pending.clear();
        }

        /// Runs the waiting rows from `first` on, and masks for all guesses but the root's.
        private PassResult pass(int first, int depth) {
            int fresh = pending.size() - first;
            int rows = fresh + depth - 1;
            int[] ids =
                    Arrays.copyOf(Arrays.copyOfRange(pending.tokens(), first, first + fresh), rows);
            Arrays.fill(ids, fresh, rows, head.mask().token());
            var known = pending.features();
            long bytes = (long) head.mask().hidden().length * Float.BYTES;
            try (var arena = Arena.ofConfined()) {
                var features = arena.allocate(rows * bytes, Float.BYTES);
                MemorySegment.copy(known, first * bytes, features, 0, fresh * bytes);
                var mask = MemorySegment.ofArray(head.mask().hidden());
                for (int row = fresh; row < rows; row++) {
                    MemorySegment.copy(mask, 0, features, row * bytes, bytes);
                }
                return head.network()
                        .forward(
                                RowBlock.continuing(cache, ids),
                                new FeatureRows(features, rows, FeatureRows.Source.TARGET),
                                PassOutputs.lastLogits(depth));
            }
        }
    }
}
