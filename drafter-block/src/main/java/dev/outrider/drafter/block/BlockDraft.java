package dev.outrider.drafter.block;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.target.HiddenState;
import java.util.List;
import java.util.Optional;

/// A loaded block drafter and how it drafts; opens sessions. Thread-safe.
///
/// @param backbone   runs blocks
/// @param markov     adds to logits what the token before says
/// @param confidence foretells acceptance
/// @param slots      the block
/// @param captured   the target's states a position of the context brings, end to end
/// @param vocabulary which logits are which tokens
/// @param drafting   shape, sampling and ends of the drafts
record BlockDraft(
        BlockNetwork backbone,
        Optional<MarkovHead> markov,
        Optional<ConfidenceHead> confidence,
        Slots slots,
        List<HiddenState> captured,
        DraftVocabulary vocabulary,
        BlockDrafting drafting) {
    BlockDraft {
        captured = List.copyOf(captured);
    }

    DraftSession open(DraftRequest request) {
        int positions = backbone.config().maxPositions();
        int rows = Math.min(Math.addExact(request.capacity(), slots.size()), positions);
        return new BlockSession(
                this,
                drafting.drafting().expander(request.policy(), vocabulary),
                backbone.newCache(rows));
    }

    void close() {
        backbone.close();
        markov.ifPresent(MarkovHead::close);
    }
}
