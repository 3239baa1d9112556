package dev.outrider.drafter.eagle;

import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes EAGLE-3 drafters. Thread-safe.
public final class Eagle3Factory implements Drafter.Factory<Eagle3Config> {
    @Override
    public String name() {
        return HeadKind.THIRD.drafter();
    }

    @Override
    public Class<Eagle3Config> configType() {
        return Eagle3Config.class;
    }

    @Override
    public DrafterTraits traits(Eagle3Config config) {
        return FeatureDrafter.traits(config.drafting());
    }

    @Override
    public Drafter create(Eagle3Config config, DrafterContext context) {
        return new HeadLoader(HeadKind.THIRD, context.target())
                .load(
                        config.path(),
                        config.precision(),
                        config.drafting(),
                        (root, tensors, target) ->
                                Eagle3Reader.read(
                                        HeadKind.THIRD, root, tensors, target, config.overrides()));
    }
}
