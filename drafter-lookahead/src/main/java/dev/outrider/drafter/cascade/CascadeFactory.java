package dev.outrider.drafter.cascade;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.ArrayList;

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
        var drafters = new ArrayList<Drafter>();
        try {
            for (var choice : config.drafters()) {
                drafters.add(choice.create(context));
            }
        } catch (RuntimeException e) {
            CascadeDrafter.close(drafters);
            throw e;
        }
        return new CascadeDrafter(config.traits(), drafters);
    }
}
