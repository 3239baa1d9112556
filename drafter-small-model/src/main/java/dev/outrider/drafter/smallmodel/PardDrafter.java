package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;

/// A loaded draft model that answers mask tokens. Thread-safe; owns its network.
final class PardDrafter implements Drafter {
    private final Drafting drafting;
    private final DraftModel model;
    private final int maskToken;
    private final int targetSize;

    /// @param model      has the target's tokenizer
    /// @param maskToken  one of its tokens
    /// @param targetSize number of the target's logits
    PardDrafter(Drafting drafting, DraftModel model, int maskToken, int targetSize) {
        this.drafting = drafting;
        this.model = model;
        this.maskToken = maskToken;
        this.targetSize = targetSize;
    }

    @Override
    public DrafterTraits traits() {
        return drafting.traits(false);
    }

    @Override
    public long parameters() {
        return model.parameters();
    }

    @Override
    public String digest() {
        return model.digest();
    }

    /// Token that stands for what is to be guessed.
    int maskToken() {
        return maskToken;
    }

    @Override
    public DraftSession open(DraftRequest request) {
        int rows =
                Math.addExact(
                        Math.min(request.capacity(), model.maxPositions()),
                        drafting.plan().maxDepth());
        var vocabulary = new DraftVocabulary(model.vocabularySize(), targetSize);
        return new PardSession(
                model,
                maskToken,
                drafting.plan().maxDepth(),
                drafting.expander(request.policy(), vocabulary),
                model.network().newCache(rows));
    }

    @Override
    public void close() {
        model.network().close();
    }
}
