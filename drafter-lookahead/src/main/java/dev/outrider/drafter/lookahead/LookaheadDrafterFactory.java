package dev.outrider.drafter.lookahead;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes drafters of lookahead decoding. Thread-safe.
public final class LookaheadDrafterFactory implements Drafter.Factory<LookaheadConfig> {
    @Override
    public String name() {
        return "lookahead";
    }

    @Override
    public Class<LookaheadConfig> configType() {
        return LookaheadConfig.class;
    }

    @Override
    public DrafterTraits traits(LookaheadConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(LookaheadConfig config, DrafterContext context) {
        return new LookaheadDrafter(config, context.target().description().endOfSequence());
    }
}
