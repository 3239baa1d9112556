package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.NgramFile.NgramCounts;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.drafting.TreeExpander;
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
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// A loaded table. Thread-safe.
///
/// @param config           its settings
/// @param distribution     its distribution
/// @param targetVocabulary number of the target's logits
record NgramDrafter(NgramConfig config, NgramDistribution distribution, int targetVocabulary)
        implements Drafter {
    @Override
    public DrafterTraits traits() {
        return config.drafting().traits(false);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        var vocabulary = DraftVocabulary.shared(distribution.vocabulary(), targetVocabulary);
        return new NgramSession(distribution, config.drafting().expander(request, vocabulary));
    }

    /// Loads the drafter for a target.
    ///
    /// @throws OutriderException if its file is missing, broken or made with another tokenizer
    static Drafter load(NgramConfig config, DrafterContext context) {
        var file = NgramFile.read(config.table());
        var target = context.target();
        if (!file.tokenizer().equals(target.tokenizer().digest())) {
            throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                    "the table '%s' was counted with another tokenizer than that of target '%s'"
                            .formatted(config.table(), target.description().name()),
                    "Count one with the target's tokenizer: 'outrider train ngram --tokenizer FILE'.");
        }
        return new NgramDrafter(
                config,
                new NgramDistribution(file.counts(), config.order(), config.smoothing()),
                target.description().vocabularySize());
    }

    /// Drafts from a table. Its state is the committed tokens; only a policy with a repetition
    /// penalty reads more than the last one. Confined to one thread.
    private static final class NgramSession extends TokensOnlySession {
        private final NgramDistribution distribution;
        private final TreeExpander expander;

        NgramSession(NgramDistribution distribution, TreeExpander expander) {
            this.distribution = distribution;
            this.expander = expander;
        }

        @Override
        protected Draft guess(CommittedTokens tokens, DraftBudget budget, Randomness randomness) {
            return expander.expand(
                            new NgramStepper(distribution, tokens.root()),
                            tokens.history(),
                            budget,
                            randomness)
                    .draft();
        }

        /// Draft steps of a table: a node's successors depend on its own token alone.
        ///
        /// @param distribution       the table's distribution
        /// @param lastToken the last committed token
        private record NgramStepper(NgramDistribution distribution, int lastToken)
                implements DraftStepper {
            @Override
            public LogitRows root() {
                var row = distribution.logits(lastToken);
                return _ -> row;
            }

            @Override
            public LogitRows step(List<StepInput> nodes) {
                var rows = nodes.stream().map(node -> distribution.logits(node.token())).toList();
                return rows::get;
            }
        }
    }

    /// The distribution of a token's successor, as logarithms. With c counts, u the unigram distribution (one imagined occurrence of every
    /// token) and s the smoothing: `q(x | t) = (c(t, x) + s u(x)) / (c(t) + s)`; order 1 is `u(x)`. Every token has a positive
    /// probability.
    ///
    /// Thread-safe.
    static final class NgramDistribution {
        private final NgramCounts counts;
        private final int order;
        private final double smoothing;
        private final double[] unigram;
        private final float[] logUnigram;

        NgramDistribution(NgramCounts counts, int order, double smoothing) {
            this.counts = counts;
            this.order = order;
            this.smoothing = smoothing;
            this.unigram = new double[counts.vocabulary()];
            this.logUnigram = new float[counts.vocabulary()];
            double total = Arrays.stream(counts.tokens()).asDoubleStream().sum() + unigram.length;
            for (int token = 0; token < unigram.length; token++) {
                unigram[token] = (counts.tokens()[token] + 1) / total;
                logUnigram[token] = (float) Math.log(unigram[token]);
            }
        }

        int vocabulary() {
            return unigram.length;
        }

        /// Returns the logarithms of the successors' probabilities.
        ///
        /// @param token the last token; one outside of the table counts as never seen
        /// @return shape `[V]` 32-bit floats on the heap; the caller owns it
        MemorySegment logits(int token) {
            var row = logUnigram.clone();
            if (order == 2 && token < vocabulary()) {
                addPairs(row, token);
            }
            return MemorySegment.ofArray(row);
        }

        private void addPairs(float[] row, int token) {
            int from = counts.offsets()[token];
            int to = counts.offsets()[token + 1];
            double seen = 0;
            for (int pair = from; pair < to; pair++) {
                seen += counts.counts()[pair];
            }
            float shift = (float) Math.log(smoothing / (seen + smoothing));
            for (int other = 0; other < row.length; other++) {
                row[other] += shift;
            }
            for (int pair = from; pair < to; pair++) {
                int successor = counts.successors()[pair];
                double mass = counts.counts()[pair] + smoothing * unigram[successor];
                row[successor] = (float) Math.log(mass / (seen + smoothing));
            }
        }
    }

    @Override
    public void close() {}
}
