package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.LastHidden;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// Loaded heads and how they draft. Thread-safe; owns the heads.
///
/// @param heads      owned
/// @param draft      shape, sampling and ends of the drafts
/// @param parameters numbers in the heads that are used
/// @param digest     of the checkpoint
record SequenceDrafter(SequenceHeads heads, SequenceDraft draft, long parameters, String digest)
        implements Drafter {
    @Override
    public DrafterTraits traits() {
        return draft.traits();
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.of(LastHidden.STATE);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        int vocabulary = heads.vocabulary();
        return new SequenceSession(
                heads,
                draft.expander(request.policy(), new DraftVocabulary(vocabulary, vocabulary)));
    }

    @Override
    public void close() {
        heads.close();
    }
}
