package dev.outrider.drafter.lookup.ngram;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// Makes drafters that draw from a table of token pairs. Thread-safe.
public final class NgramFactory implements Drafter.Factory<NgramConfig> {
    @Override
    public String name() {
        return "ngram";
    }

    @Override
    public Class<NgramConfig> configType() {
        return NgramConfig.class;
    }

    @Override
    public DrafterTraits traits(NgramConfig config) {
        return config.drafting().traits(false);
    }

    @Override
    public Drafter create(NgramConfig config, DrafterContext context) {
        var file = NgramFile.read(config.table());
        var target = context.target();
        if (!file.tokenizer().equals(target.tokenizer().digest())) {
            throw new OutriderException(
                    ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
                    "the table '%s' was counted with another tokenizer than that of target '%s'"
                            .formatted(config.table(), target.description().name()),
                    "Count one with the target's tokenizer: 'outrider train ngram --tokenizer FILE'.");
        }
        return new NgramDrafter(
                config,
                new NgramDistribution(file.counts(), config.order(), config.smoothing()),
                target.description().vocabularySize());
    }
}
