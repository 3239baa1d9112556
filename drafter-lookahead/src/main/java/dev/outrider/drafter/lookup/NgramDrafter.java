package dev.outrider.drafter.lookup;

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
        return new NgramSession(
                distribution, config.drafting().expander(request.policy(), vocabulary));
    }

    @Override
    public void close() {}

    /// Loads the drafter for a target.
    ///
    /// @throws OutriderException if its file is missing, broken or made with another tokenizer
    static Drafter load(NgramConfig config, DrafterContext context) {
        var file = NgramFile.read(config.table());
        var target = context.target();
        if (!file.tokenizer().equals(target.tokenizer().digest())) {
            throw new OutriderException(
                    ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
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

        @Override
        public void close() {}

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
}
