package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.draft.DraftVocabulary;
import dev.outrider.nn.draft.TreeExpander;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterTraits;

/// A loaded draft model. Thread-safe.
final class SmallModelDrafter implements Drafter {
    private final SmallModelConfig config;
    private final DraftModel model;
    private final DraftVocabulary vocabulary;

    SmallModelDrafter(SmallModelConfig config, DraftModel model, int targetVocabularySize) {
        this.config = config;
        this.model = model;
        this.vocabulary = DraftVocabulary.shared(model.vocabularySize(), targetVocabularySize);
    }

    @Override
    public DrafterTraits traits() {
        return config.traits();
    }

    @Override
    public long parameters() {
        return model.parameters();
    }

    @Override
    public String digest() {
        return model.digest();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        var plan = config.plan();
        var policy = config.policy(request.policy());
        int rows =
                Math.addExact(
                        Math.min(request.capacity(), model.maxPositions()),
                        TreeExpander.maxRows(plan));
        return new SmallModelSession(
                model.network(),
                new TreeExpander(plan, policy, config.stopRule(), vocabulary),
                model.network().newCache(rows),
                model.maxPositions(),
                model.vocabularySize());
    }

    @Override
    public void close() {
        model.network().close();
    }
}
