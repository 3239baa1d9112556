package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.DrafterFactory;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Adds the drafters `small-model` and `pard`.
public final class SmallModelPlugin implements OutriderPlugin {
    static final Drafter.Factory<PardConfig> PARD =
            new DrafterFactory<>(
                    "pard",
                    PardConfig.class,
                    config -> config.drafting().traits(false),
                    PardDrafter::open);

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(new SmallModelDrafterFactory(), PARD);
    }
}
