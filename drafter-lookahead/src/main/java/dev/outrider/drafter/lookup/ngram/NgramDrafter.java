package dev.outrider.drafter.lookup.ngram;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;

/// A loaded table. Thread-safe.
///
/// @param config           its settings
/// @param distribution              its distribution
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
}
