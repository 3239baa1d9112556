package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.spi.draft.Drafter;

/// Adds the drafter `hydra-plus-plus`.
public final class HydraPlusPlusPlugin extends DrafterPlugin {
    static final Drafter.Factory<HydraPlusPlusConfig> HYDRA_PLUS_PLUS =
            Drafter.Factory.of(
                    HydraPlusPlusDrafter.NAME,
                    HydraPlusPlusConfig.class,
                    config -> config.head().traits(),
                    HydraPlusPlusDrafter::open);

    /// Adds it.
    public HydraPlusPlusPlugin() {
        super(HYDRA_PLUS_PLUS);
    }
}
