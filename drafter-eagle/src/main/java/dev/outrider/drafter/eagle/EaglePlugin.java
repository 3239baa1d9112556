package dev.outrider.drafter.eagle;

import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.spi.draft.Drafter;

/// Adds the drafters `eagle`, `eagle3` and `p-eagle`.
public final class EaglePlugin extends DrafterPlugin {
    static final Drafter.Factory<EagleConfig> EAGLE =
            Drafter.Factory.of(
                    EagleHead.FIRST.drafter(),
                    EagleConfig.class,
                    config -> config.head().traits(),
                    EagleHead::open);
    static final Drafter.Factory<Eagle3Config> EAGLE_3 =
            Drafter.Factory.of(
                    EagleHead.THIRD.drafter(),
                    Eagle3Config.class,
                    config -> config.head().traits(),
                    EagleHead::open);
    static final Drafter.Factory<PEagleConfig> P_EAGLE =
            Drafter.Factory.of(
                    EagleHead.PARALLEL.drafter(),
                    PEagleConfig.class,
                    config -> config.head().traits(),
                    EagleHead::open);

    /// Adds them.
    public EaglePlugin() {
        super(EAGLE, EAGLE_3, P_EAGLE);
    }
}
