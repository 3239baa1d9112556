package dev.outrider.drafter.self;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.PartialPasses;
import java.util.function.Supplier;

/// Drafts with some of the target's layers. Thread-safe.
///
/// @param name           of the drafter, for errors
/// @param drafting       shape, sampling and stop of the drafts
/// @param vocabularySize number of the target's logits
/// @param choices        makes what says which layers, for each sequence
record SelfDrafter(
        String name, Drafting drafting, int vocabularySize, Supplier<LayerChoice> choices)
        implements Drafter {
    @Override
    public DrafterTraits traits() {
        return drafting.traits(false);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        var passes =
                request.target()
                        .capability(PartialPasses.class)
                        .orElseThrow(() -> SelfErrors.apart(name));
        var vocabulary = DraftVocabulary.shared(vocabularySize, vocabularySize);
        return new SelfSession(
                passes,
                choices.get(),
                drafting.plan(),
                drafting.expander(request.policy(), vocabulary));
    }

    @Override
    public void close() {}
}
