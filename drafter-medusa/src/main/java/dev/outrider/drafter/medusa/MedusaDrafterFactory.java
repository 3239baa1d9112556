package dev.outrider.drafter.medusa;

import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.util.Optional;

/// Makes drafters from checkpoints of Medusa heads. Thread-safe.
public final class MedusaDrafterFactory implements Drafter.Factory<MedusaConfig> {
    @Override
    public String name() {
        return "medusa";
    }

    @Override
    public Class<MedusaConfig> configType() {
        return MedusaConfig.class;
    }

    @Override
    public DrafterTraits traits(MedusaConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(MedusaConfig config, DrafterContext context) {
        var target = context.target();
        var description = target.description();
        try (var checkpoint =
                HeadCheckpoint.open(
                        config.path(), description.hiddenSize(), description.vocabularySize())) {
            int depth = config.plan().maxDepth();
            if (depth > checkpoint.heads()) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "drafts of drafter 'medusa' are %d deep, but %s has %d heads"
                                .formatted(depth, config.path(), checkpoint.heads()),
                        "Give a 'length' or 'tree' of at most %d levels."
                                .formatted(checkpoint.heads()));
            }
            var heads = heads(checkpoint, depth, config, target);
            return new MedusaDrafter(
                    config,
                    heads,
                    description.hiddenSize(),
                    checkpoint.parameters(depth),
                    checkpoint.digest());
        }
    }

    /// Runs in Java's vector code, whatever runs the target.
    private static Heads heads(
            HeadCheckpoint checkpoint, int depth, MedusaConfig config, TargetModel target) {
        var precision =
                config.precision()
                        .or(() ->
                                target.capability(VectorNetwork.class)
                                        .map(VectorNetwork::precision))
                        .orElse(Precision.F32);
        return new VectorHeads(
                checkpoint,
                depth,
                precision,
                checkpoint.projection() == Projection.TARGET
                        ? Optional.of(TargetWeights.of("medusa", target))
                        : Optional.empty(),
                checkpoint.tokenMap());
    }
}
