package dev.outrider.drafter.cascade;

import dev.outrider.drafter.ensemble.Ensemble;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes cascades of drafters. Thread-safe.
public final class CascadeFactory implements Drafter.Factory<CascadeConfig> {
    @Override
    public String name() {
        return "cascade";
    }

    @Override
    public Class<CascadeConfig> configType() {
        return CascadeConfig.class;
    }

    @Override
    public DrafterTraits traits(CascadeConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(CascadeConfig config, DrafterContext context) {
        return Ensemble.load(
                config.drafters(),
                context,
                config.traits(),
                sessions -> new CascadeSession(sessions, Ensemble.names(config.drafters())));
    }
}
