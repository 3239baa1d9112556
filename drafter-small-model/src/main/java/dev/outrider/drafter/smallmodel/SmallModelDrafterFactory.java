package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.SharedTokensSession.SharedTokens;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;

/// Makes drafters that run a second checkpoint. Thread-safe.
public final class SmallModelDrafterFactory implements Drafter.Factory<SmallModelConfig> {
    private final DraftModel.Loader loader;

    /// Loads checkpoints with the target's back end, unless the configuration has another one.
    public SmallModelDrafterFactory() {
        this(DraftCheckpoints::load);
    }

    SmallModelDrafterFactory(DraftModel.Loader loader) {
        this.loader = loader;
    }

    @Override
    public String name() {
        return "small-model";
    }

    @Override
    public Class<SmallModelConfig> configType() {
        return SmallModelConfig.class;
    }

    @Override
    public DrafterTraits traits(SmallModelConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(SmallModelConfig config, DrafterContext context) {
        var target = context.target();
        var model = loader.load(config, target);
        try {
            requireReader(config, model, target);
            return new SmallModelDrafter(
                    config, model, target.tokenizer(), sharedTokens(config, model, target));
        } catch (OutriderException mismatch) {
            model.network().close();
            throw mismatch;
        }
    }

    /// A draft model with an encoder needs a source. A draft model without an encoder drafts for any target, from the decoder's
    /// text alone.
    private static void requireReader(
            SmallModelConfig config, DraftModel model, TargetModel target) {
        if (model.sources().isPresent() && target.description().sources().isEmpty()) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "drafter 'small-model' at %s is an encoder-decoder, but target '%s' is a decoder alone and has no source for it"
                            .formatted(config.path(), target.description().name()),
                    "Choose a draft checkpoint that is a decoder alone, or a target that is an encoder-decoder.");
        }
    }

    private SharedTokens sharedTokens(
            SmallModelConfig config, DraftModel model, TargetModel target) {
        int targetSize = target.description().vocabularySize();
        return switch (config.vocabulary()) {
            case SAME -> {
                SameVocabulary.require(
                        name(),
                        config.path(),
                        model,
                        target,
                        "Or set 'vocabulary: shared' or 'vocabulary: text'.");
                yield SharedTokens.of(new int[0], targetSize);
            }
            case TEXT -> SharedTokens.of(new int[0], targetSize);
            case SHARED -> {
                var shared =
                        SharedTokens.byText(
                                model.tokenizer(),
                                model.vocabularySize(),
                                target.tokenizer(),
                                targetSize);
                if (shared.size() == 0) {
                    throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                            "no token of drafter 'small-model' at %s has the text of a token of target '%s'"
                                    .formatted(config.path(), target.description().name()),
                            "Set 'vocabulary: text', or choose another draft checkpoint.");
                }
                yield shared;
            }
        };
    }
}
