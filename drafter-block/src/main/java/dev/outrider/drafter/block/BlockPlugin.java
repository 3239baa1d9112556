package dev.outrider.drafter.block;

import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.spi.draft.Drafter;

/// Adds the drafters `dflash` and `dspark`.
public final class BlockPlugin extends DrafterPlugin {
    static final Drafter.Factory<DFlashConfig> DFLASH =
            Drafter.Factory.of(
                    BlockHead.DFLASH.drafter(),
                    DFlashConfig.class,
                    config -> config.head().traits(),
                    BlockHead::open);
    static final Drafter.Factory<DSparkConfig> DSPARK =
            Drafter.Factory.of(
                    BlockHead.DSPARK.drafter(),
                    DSparkConfig.class,
                    config -> config.head().traits(),
                    BlockHead::open);

    /// Adds them.
    public BlockPlugin() {
        super(DFLASH, DSPARK);
    }
}
