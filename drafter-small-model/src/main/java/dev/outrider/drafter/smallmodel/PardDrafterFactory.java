package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.List;

/// Makes PARD drafters. The mask token is `pard_token` of the checkpoint's `config.json`, or what vLLM reads in its place,
/// `ptd_token_id`; one token serves all masks. Thread-safe.
///
/// @see "AMD-AGI/PARD, pard/pard_infer.py and pard_train.py"
public final class PardDrafterFactory implements Drafter.Factory<PardConfig> {
    private static final List<String> TOKEN_KEYS = List.of("pard_token", "ptd_token_id");

    @Override
    public String name() {
        return "pard";
    }

    @Override
    public Class<PardConfig> configType() {
        return PardConfig.class;
    }

    @Override
    public DrafterTraits traits(PardConfig config) {
        return config.drafting().traits(false);
    }

    @Override
    public Drafter create(PardConfig config, DrafterContext context) {
        var model = DraftCheckpoints.load(config.checkpoint(), context.target());
        try {
            if (model.sources().isPresent()) {
                throw new OutriderException(
                        ErrorCode.CHECKPOINT_UNSUPPORTED,
                        "'%s' is an encoder-decoder; drafter 'pard' expects a decoder alone"
                                .formatted(config.path()),
                        "Choose the drafter 'small-model' for it.");
            }
            SameVocabulary.require(
                    name(),
                    config.path(),
                    model,
                    context.target(),
                    "Or use the drafter 'small-model' with 'vocabulary: shared'.");
            return new PardDrafter(
                    config.drafting(),
                    model,
                    maskToken(config, model.vocabularySize()),
                    context.target().description().vocabularySize());
        } catch (OutriderException mismatch) {
            model.network().close();
            throw mismatch;
        }
    }

    private static int maskToken(PardConfig config, int vocabulary) {
        if (config.maskToken().isPresent()) {
            int given = config.maskToken().get();
            if (given >= vocabulary) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "'maskToken' is %d, the vocabulary has %d tokens"
                                .formatted(given, vocabulary),
                        "Give the token that the checkpoint was trained with, or leave it out.");
            }
            return given;
        }
        var root = ConfigNode.read(new Checkpoint(config.path()).config());
        var key = TOKEN_KEYS.stream().filter(root::has).findFirst().orElse(TOKEN_KEYS.getFirst());
        int token = root.natural(key, -1);
        if (token < 0 || token >= vocabulary) {
            throw root.wrong(key, "a token below %d".formatted(vocabulary));
        }
        return token;
    }
}
