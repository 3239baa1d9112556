package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.TargetWeights;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes drafters from checkpoints of ReDrafter's recurrent head. Thread-safe.
public final class RedrafterFactory implements Drafter.Factory<RedrafterConfig> {
    private static final String NAME = "redrafter";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<RedrafterConfig> configType() {
        return RedrafterConfig.class;
    }

    @Override
    public DrafterTraits traits(RedrafterConfig config) {
        return config.draft().traits();
    }

    @Override
    public Drafter create(RedrafterConfig config, DrafterContext context) {
        var target = context.target();
        var description = target.description();
        var precision = SequencePrecision.of(config.precision(), target);
        try (var checkpoint =
                RedrafterCheckpoint.open(
                        config.path(), description.hiddenSize(), description.vocabularySize())) {
            var head =
                    new RecurrentHead(
                            checkpoint,
                            config.draft().plan().maxDepth(),
                            precision,
                            TargetWeights.of(NAME, target));
            return new SequenceDrafter(
                    head, config.draft(), checkpoint.parameters(), checkpoint.digest());
        }
    }
}
