package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.spi.draft.Drafter;

/// Adds the drafters `hydra` and `redrafter`.
public final class SequencePlugin extends DrafterPlugin {
    static final Drafter.Factory<HydraConfig> HYDRA =
            Drafter.Factory.of(
                    "hydra",
                    HydraConfig.class,
                    config -> config.head().traits(),
                    HydraCheckpoint::open);
    static final Drafter.Factory<RedrafterConfig> REDRAFTER =
            Drafter.Factory.of(
                    "redrafter",
                    RedrafterConfig.class,
                    config -> SequenceDrafter.traits(config.head().drafting(), config.search()),
                    RedrafterCheckpoint::open);

    /// Adds them.
    public SequencePlugin() {
        super(HYDRA, REDRAFTER);
    }
}
