package dev.outrider.drafter.self;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.PartialPasses.LayerSubset;

/// Creates drafters from a target's first layers. Thread-safe.
public final class EarlyExitFactory implements Drafter.Factory<EarlyExitConfig> {
    @Override
    public String name() {
        return "early-exit";
    }

    @Override
    public Class<EarlyExitConfig> configType() {
        return EarlyExitConfig.class;
    }

    @Override
    public DrafterTraits traits(EarlyExitConfig config) {
        return config.drafting().traits(false);
    }

    @Override
    public Drafter create(EarlyExitConfig config, DrafterContext context) {
        var target = context.target();
        SelfErrors.requireOffered(name(), target);
        if (config.layer() >= target.description().layers()) {
            throw SelfErrors.noEarlyExit(config.layer(), target.description());
        }
        var layers = new LayerSubset.First(config.layer());
        return new SelfDrafter(
                name(),
                config.drafting(),
                target.description().vocabularySize(),
                () -> (tokens, passes) -> layers);
    }
}
