package dev.outrider.drafter.eagle;

import dev.outrider.drafting.DrafterFactory;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Brings the drafters `eagle`, `eagle3` and `p-eagle`.
public final class EaglePlugin implements OutriderPlugin {
    static final Drafter.Factory<EagleConfig> EAGLE =
            new DrafterFactory<>(
                    EagleHead.FIRST.drafter(),
                    EagleConfig.class,
                    config -> config.head().traits(),
                    EagleHead::open);
    static final Drafter.Factory<Eagle3Config> EAGLE_3 =
            new DrafterFactory<>(
                    EagleHead.THIRD.drafter(),
                    Eagle3Config.class,
                    config -> config.head().traits(),
                    EagleHead::open);
    static final Drafter.Factory<PEagleConfig> P_EAGLE =
            new DrafterFactory<>(
                    EagleHead.PARALLEL.drafter(),
                    PEagleConfig.class,
                    config -> config.head().traits(),
                    EagleHead::open);

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(EAGLE, EAGLE_3, P_EAGLE);
    }
}
