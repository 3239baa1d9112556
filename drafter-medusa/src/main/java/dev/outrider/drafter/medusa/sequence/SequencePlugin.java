package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.DrafterFactory;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Brings the drafters `hydra` and `redrafter`.
public final class SequencePlugin implements OutriderPlugin {
    static final Drafter.Factory<HydraConfig> HYDRA =
            new DrafterFactory<>(
                    "hydra",
                    HydraConfig.class,
                    config -> config.head().traits(),
                    HydraCheckpoint::open);
    static final Drafter.Factory<RedrafterConfig> REDRAFTER =
            new DrafterFactory<>(
                    "redrafter",
                    RedrafterConfig.class,
                    config -> SequenceDrafter.traits(config.head().drafting(), config.search()),
                    RedrafterCheckpoint::open);

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(HYDRA, REDRAFTER);
    }
}
