package dev.outrider.drafter.lookahead;

import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterContext;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.DrafterTraits;

/// Makes drafters of lookahead decoding. Thread-safe.
public final class LookaheadDrafterFactory implements DrafterFactory<LookaheadConfig> {
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
