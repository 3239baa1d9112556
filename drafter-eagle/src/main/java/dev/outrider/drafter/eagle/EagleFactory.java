package dev.outrider.drafter.eagle;

import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes EAGLE-1 and EAGLE-2 drafters. Thread-safe.
public final class EagleFactory implements Drafter.Factory<EagleConfig> {
    @Override
    public String name() {
        return HeadKind.FIRST.drafter();
    }

    @Override
    public Class<EagleConfig> configType() {
        return EagleConfig.class;
    }

    @Override
    public DrafterTraits traits(EagleConfig config) {
        return FeatureDrafter.traits(config.drafting());
    }

    @Override
    public Drafter create(EagleConfig config, DrafterContext context) {
        return new HeadLoader(HeadKind.FIRST, context.target())
                .load(
                        config.path(),
                        config.precision(),
                        config.drafting(),
                        (root, tensors, target) ->
                                EagleReader.read(root, tensors, target, config.featureFirst()));
    }
}
