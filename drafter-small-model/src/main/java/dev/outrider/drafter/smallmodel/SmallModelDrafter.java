package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.SharedTokensSession.SharedTokens;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.Tokenizer;

/// A loaded draft model. Thread-safe.
///
/// @param targets the target's tokenizer
/// @param shared  the mapping of tokens; not used if both have the same tokenizer
record SmallModelDrafter(
        SmallModelConfig config, DraftModel model, Tokenizer targets, SharedTokens shared)
        implements DraftModel.User {
    /// A drafter that has the target's tokenizer.
    ///
    /// @param targetSize number of the target's logits
    SmallModelDrafter(SmallModelConfig config, DraftModel model, int targetSize) {
        this(config, model, model.tokenizer(), SharedTokens.of(new int[0], targetSize));
    }

    @Override
    public DrafterTraits traits() {
        return config.traits();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return switch (config.vocabulary()) {
            case SAME -> same(request);
            case SHARED -> shared(request);
            case TEXT -> text(request);
        };
    }

    private DraftSession same(DraftRequest request) {
        var vocabulary = DraftVocabulary.shared(model.vocabularySize(), shared.targetSize());
        return new SmallModelSession(
                model.network(),
                expander(request, vocabulary),
                model.newCache(rows(request), request.source()),
                model.maxPositions(),
                model.vocabularySize());
    }

    /// Rows for the sequence and for a draft.
    private int rows(DraftRequest request) {
        int sequence = Math.min(request.capacity(), model.maxPositions());
        return Math.addExact(sequence, config.drafting().maxRows());
    }

    private DraftSession shared(DraftRequest request) {
        var text = reencoded();
        return new SharedTokensSession(
                model,
                expander(request, new DraftVocabulary(shared.targetSize(), shared.targetSize())),
                shared,
                text,
                model.newCache(rowsForAnyText(), text.source(request.source())));
    }

    private DraftSession text(DraftRequest request) {
        var own = new DraftVocabulary(model.vocabularySize(), model.vocabularySize());
        var text = reencoded();
        return new TextSession(
                model,
                config.drafting().plan().maxDepth(),
                config.drafting()
                        .expander(
                                new DraftRequest(request.capacity(), SamplingPolicy.argmax()), own),
                targets,
                text,
                model.newCache(rowsForAnyText(), text.source(request.source())));
    }

    private TreeExpander expander(DraftRequest request, DraftVocabulary vocabulary) {
        return config.drafting().expander(request, vocabulary);
    }

    private ReencodedText reencoded() {
        return new ReencodedText(model.tokenizer(), targets, model.sources());
    }

    /// The number of the draft model's tokens of a text is not known in advance.
    private int rowsForAnyText() {
        return Math.addExact(model.maxPositions(), config.drafting().maxRows());
    }
}
