package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftWithRows;
import dev.outrider.drafting.TokenReader;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// One sequence in the draft model.
///
/// The cache holds rows of committed tokens, always a prefix of them. After a round it does not have the next
/// token and, if a whole path down to a leaf was accepted, that leaf, which was guessed but never run
/// (docs/reference/algorithms.md A13.2). The next draft feeds all missing tokens in one pass, at first the prompt: a session that
/// is not asked for guesses records the tokens and runs nothing. Rows of accepted nodes that were run are kept, not computed again.
///
/// A sequence that is too long for the draft model, or has a token that the draft model does not have, continues without guesses.
final class SmallModelSession implements DraftSession, TokenReader {
    private final DecoderNetwork network;
    private final TreeExpander expander;
    private final KvCache cache;
    private final int maxPositions;
    private final int drafterTokens;
    private KnownTokens known;
    private CommittedTokens tokens = new CommittedTokens();
    private final CallOrder order = new CallOrder();
    private Optional<DraftWithRows> proposed = Optional.empty();

    /// @param network       the draft model
    /// @param expander      grows the drafts
    /// @param cache         empty cache of the network, with rows for the sequence and a draft; closed with the session
    /// @param maxPositions  longest sequence the network was made for
    /// @param drafterTokens number of token ids that the network can read
    SmallModelSession(
            DecoderNetwork network,
            TreeExpander expander,
            KvCache cache,
            int maxPositions,
            int drafterTokens) {
        this.network = network;
        this.expander = expander;
        this.cache = cache;
        this.maxPositions = maxPositions;
        this.drafterTokens = drafterTokens;
        this.known = new KnownTokens(drafterTokens);
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        tokens.append(prompt);
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        proposed = Optional.empty();
        int depth = depth(budget);
        if (depth < 1) {
            return Draft.empty(tokens.root());
        }
        // A draft without a verdict is dropped; the root runs again.
        cache.truncate(Math.min(cache.length(), tokens.length() - 1));
        try (var stepper = new NetworkStepper(network, cache, tokens)) {
            var expansion =
                    expander.expand(
                            stepper,
                            tokens.history(),
                            new DraftBudget(budget.maxNodes(), depth),
                            randomness);
            proposed = Optional.of(expansion);
            return expansion.draft();
        }
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        cache.keep(proposed.map(mine -> mine.acceptedRows(verdict)).orElse(List.of()));
        tokens.append(verdict.emitted(draft.tree()));
    }

    @Override
    public void note(int... more) {
        order.note();
        cache.dropScratch();
        tokens.append(more);
    }

    /// Keeps the rows of the common prefix of both texts.
    @Override
    public boolean restart(int[] text) {
        order.restart();
        int[] before = tokens.range(0, tokens.length());
        int differs = Arrays.mismatch(before, text);
        int common = differs < 0 ? text.length : differs;
        cache.truncate(Math.min(cache.length(), Math.min(common, text.length - 1)));
        tokens = new CommittedTokens();
        known = new KnownTokens(drafterTokens);
        tokens.append(text);
        return true;
    }

    @Override
    public void close() {
        cache.close();
    }

    /// Greatest depth of a draft: a node at the greatest depth is not run, so the deepest row is at position
    /// `tokens.length() - 1 + depth - 1`.
    private int depth(DraftBudget budget) {
        int room = maxPositions - tokens.length() + 1;
        return budget.maxNodes() > 0 && known.all(tokens) ? Math.min(budget.maxDepth(), room) : 0;
    }

    /// Checks whether a draft model can read a sequence: whether it has all of its tokens. Each token is checked once. Confined to
    /// one thread.
    static final class KnownTokens {
        private final int tokenIds;
        private int read;

        /// @param tokenIds number of token ids that the draft model can read
        KnownTokens(int tokenIds) {
            this.tokenIds = tokenIds;
        }

        /// Returns whether it has all of them.
        ///
        /// @param tokens those of the last call, and perhaps more
        boolean all(CommittedTokens tokens) {
            while (read < tokens.length() && tokens.token(read) < tokenIds) {
                read++;
            }
            return read == tokens.length();
        }
    }
}
