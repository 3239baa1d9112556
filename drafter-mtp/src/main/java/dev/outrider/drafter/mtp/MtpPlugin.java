package dev.outrider.drafter.mtp;

import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.spi.draft.Drafter;

/// Adds the drafter `mtp`.
public final class MtpPlugin extends DrafterPlugin {
    static final Drafter.Factory<MtpConfig> MTP =
            Drafter.Factory.of(
                    MtpHead.NAME, MtpConfig.class, config -> config.head().traits(), MtpHead::open);

    /// Adds it.
    public MtpPlugin() {
        super(MTP);
    }
}
