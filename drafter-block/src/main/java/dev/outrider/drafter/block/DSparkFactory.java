package dev.outrider.drafter.block;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes DSpark drafters. Thread-safe.
public final class DSparkFactory implements Drafter.Factory<DSparkConfig> {
    @Override
    public String name() {
        return BlockKind.DSPARK.drafter();
    }

    @Override
    public Class<DSparkConfig> configType() {
        return DSparkConfig.class;
    }

    @Override
    public DrafterTraits traits(DSparkConfig config) {
        return config.drafting().traits(true);
    }

    @Override
    public Drafter create(DSparkConfig config, DrafterContext context) {
        return new BlockLoader(BlockKind.DSPARK, context.target())
                .load(
                        config.path(),
                        config.precision(),
                        config.overrides(),
                        new BlockDrafting(config.drafting(), config.acceptanceThreshold()));
    }
}
