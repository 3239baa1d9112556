package dev.outrider.drafter.mtp;

import dev.outrider.drafting.DrafterFactory;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Brings the drafter `mtp`.
public final class MtpPlugin implements OutriderPlugin {
    static final Drafter.Factory<MtpConfig> MTP =
            new DrafterFactory<>(
                    MtpHead.NAME, MtpConfig.class, config -> config.head().traits(), MtpHead::open);

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(MTP);
    }
}
