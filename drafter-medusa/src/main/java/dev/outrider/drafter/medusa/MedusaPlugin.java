package dev.outrider.drafter.medusa;

import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.spi.draft.Drafter;

/// Adds the drafter `medusa`.
public final class MedusaPlugin extends DrafterPlugin {
    static final Drafter.Factory<MedusaConfig> MEDUSA =
            Drafter.Factory.of(
                    "medusa", MedusaConfig.class, MedusaConfig::traits, MedusaDrafter::open);

    /// Adds them.
    public MedusaPlugin() {
        super(MEDUSA);
    }
}
