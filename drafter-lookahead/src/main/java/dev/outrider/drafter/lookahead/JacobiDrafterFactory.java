package dev.outrider.drafter.lookahead;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes drafters of Jacobi decoding. Thread-safe.
public final class JacobiDrafterFactory implements Drafter.Factory<JacobiConfig> {
    @Override
    public String name() {
        return "jacobi";
    }

    @Override
    public Class<JacobiConfig> configType() {
        return JacobiConfig.class;
    }

    @Override
    public DrafterTraits traits(JacobiConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(JacobiConfig config, DrafterContext context) {
        return new JacobiDrafter(config, context.target().description().endOfSequence());
    }
}
