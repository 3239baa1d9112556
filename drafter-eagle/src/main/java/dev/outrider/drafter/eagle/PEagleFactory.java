package dev.outrider.drafter.eagle;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes P-EAGLE drafters. Thread-safe.
public final class PEagleFactory implements Drafter.Factory<PEagleConfig> {
    @Override
    public String name() {
        return HeadKind.PARALLEL.drafter();
    }

    @Override
    public Class<PEagleConfig> configType() {
        return PEagleConfig.class;
    }

    @Override
    public DrafterTraits traits(PEagleConfig config) {
        return config.drafting().traits(true);
    }

    @Override
    public Drafter create(PEagleConfig config, DrafterContext context) {
        return new HeadLoader(HeadKind.PARALLEL, context.target())
                .load(
                        config.path(),
                        config.precision(),
                        (root, tensors, target) ->
                                PEagleReader.read(root, tensors, target, config.overrides()),
                        (head, network, parameters, digest) ->
                                new ParallelDrafter(
                                        new ParallelDraft(
                                                network,
                                                head.layout().captured(),
                                                head.layout().mask().orElseThrow(),
                                                head.vocabulary(),
                                                config.drafting()),
                                        parameters,
                                        digest));
    }
}
