package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.spi.draft.Drafter;

/// Adds the drafters `small-model` and `pard`.
public final class SmallModelPlugin extends DrafterPlugin {
    static final Drafter.Factory<PardConfig> PARD =
            Drafter.Factory.of(
                    "pard",
                    PardConfig.class,
                    config -> config.drafting().traits(false),
                    PardDrafter::open);

    /// Adds them.
    public SmallModelPlugin() {
        super(new SmallModelDrafterFactory(), PARD);
    }
}
