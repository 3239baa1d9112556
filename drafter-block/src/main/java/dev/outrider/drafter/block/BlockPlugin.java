package dev.outrider.drafter.block;

import dev.outrider.drafting.DrafterFactory;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Brings the drafters `dflash` and `dspark`.
public final class BlockPlugin implements OutriderPlugin {
    static final Drafter.Factory<DFlashConfig> DFLASH =
            new DrafterFactory<>(
                    BlockHead.DFLASH.drafter(),
                    DFlashConfig.class,
                    config -> config.head().traits(),
                    BlockHead::open);
    static final Drafter.Factory<DSparkConfig> DSPARK =
            new DrafterFactory<>(
                    BlockHead.DSPARK.drafter(),
                    DSparkConfig.class,
                    config -> config.head().traits(),
                    BlockHead::open);

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(DFLASH, DSPARK);
    }
}
