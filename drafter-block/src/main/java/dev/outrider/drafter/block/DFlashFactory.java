package dev.outrider.drafter.block;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes DFlash drafters. Thread-safe.
public final class DFlashFactory implements Drafter.Factory<DFlashConfig> {
    @Override
    public String name() {
        return BlockKind.DFLASH.drafter();
    }

    @Override
    public Class<DFlashConfig> configType() {
        return DFlashConfig.class;
    }

    @Override
    public DrafterTraits traits(DFlashConfig config) {
        return config.drafting().traits(true);
    }

    @Override
    public Drafter create(DFlashConfig config, DrafterContext context) {
        return new BlockLoader(BlockKind.DFLASH, context.target())
                .load(
                        config.path(),
                        config.precision(),
                        config.overrides(),
                        new BlockDrafting(config.drafting(), 0));
    }
}
