package dev.outrider.drafter.eagle;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.target.HiddenState;
import java.util.List;

/// A loaded P-EAGLE head and how it drafts; opens sessions. Thread-safe.
///
/// @param network    the layers
/// @param captured   the target's states a row brings, end to end
/// @param mask       what rows of guesses read
/// @param vocabulary which logits are which tokens
/// @param drafting   shape, sampling and ends of the drafts
record ParallelDraft(
        FeatureNetwork network,
        List<HiddenState> captured,
        MaskRow mask,
        DraftVocabulary vocabulary,
        Drafting drafting) {
    ParallelDraft {
        captured = List.copyOf(captured);
    }

    DraftSession open(DraftRequest request) {
        int positions = network.config().maxPositions();
        int rows =
                Math.addExact(Math.min(request.capacity(), positions), drafting.plan().maxDepth());
        return new ParallelSession(
                this, drafting.expander(request.policy(), vocabulary), network.newCache(rows));
    }
}
