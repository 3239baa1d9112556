package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.TargetWeights;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// Makes drafters from checkpoints of Hydra heads. Thread-safe.
public final class HydraFactory implements Drafter.Factory<HydraConfig> {
    private static final String NAME = "hydra";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<HydraConfig> configType() {
        return HydraConfig.class;
    }

    @Override
    public DrafterTraits traits(HydraConfig config) {
        return config.draft().traits();
    }

    @Override
    public Drafter create(HydraConfig config, DrafterContext context) {
        var target = context.target();
        var description = target.description();
        var precision = SequencePrecision.of(config.precision(), target);
        try (var checkpoint =
                HydraCheckpoint.open(
                        config.path(), description.hiddenSize(), description.vocabularySize())) {
            int depth = config.draft().plan().maxDepth();
            if (depth > checkpoint.heads()) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "drafts of drafter '%s' are %d deep, but %s has %d heads"
                                .formatted(NAME, depth, config.path(), checkpoint.heads()),
                        "Give a 'length' or 'tree' of at most %d levels."
                                .formatted(checkpoint.heads()));
            }
            var heads = new HydraHeads(checkpoint, depth, precision, TargetWeights.of(NAME, target));
            return new SequenceDrafter(
                    heads, config.draft(), checkpoint.parameters(depth), checkpoint.digest());
        }
    }
}
