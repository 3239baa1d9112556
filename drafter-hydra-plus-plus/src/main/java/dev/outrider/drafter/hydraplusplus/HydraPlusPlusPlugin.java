package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.DrafterFactory;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Brings the drafter `hydra-plus-plus`.
public final class HydraPlusPlusPlugin implements OutriderPlugin {
    static final Drafter.Factory<HydraPlusPlusConfig> HYDRA_PLUS_PLUS =
            new DrafterFactory<>(
                    HydraPlusPlusDrafter.NAME,
                    HydraPlusPlusConfig.class,
                    config -> config.head().traits(),
                    HydraPlusPlusDrafter::open);

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(HYDRA_PLUS_PLUS);
    }
}
