package dev.outrider.drafter.medusa;

import dev.outrider.drafting.DrafterFactory;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Adds the drafter `medusa`.
public final class MedusaPlugin implements OutriderPlugin {
    static final Drafter.Factory<MedusaConfig> MEDUSA =
            new DrafterFactory<>(
                    "medusa", MedusaConfig.class, MedusaConfig::traits, MedusaDrafter::open);

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(MEDUSA);
    }
}
