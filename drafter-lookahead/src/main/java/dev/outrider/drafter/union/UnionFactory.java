package dev.outrider.drafter.union;

import dev.outrider.drafter.ensemble.Ensemble;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes unions of drafters. Thread-safe.
public final class UnionFactory implements Drafter.Factory<UnionConfig> {
    @Override
    public String name() {
        return "union";
    }

    @Override
    public Class<UnionConfig> configType() {
        return UnionConfig.class;
    }

    @Override
    public DrafterTraits traits(UnionConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(UnionConfig config, DrafterContext context) {
        return Ensemble.load(
                config.drafters(),
                context,
                config.traits(),
                sessions ->
                        new UnionSession(
                                sessions, Ensemble.names(config.drafters()), config.totalNodes()));
    }
}
