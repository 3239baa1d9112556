package dev.outrider.drafter.medusa;

import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.runtime.ElementType;
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

    /// Runs on what the target runs on.
    private static Heads heads(
            HeadCheckpoint checkpoint, int depth, MedusaConfig config, TargetModel target) {
        var network = target.capability(VectorNetwork.class);
        return network.isPresent()
                ? new VectorHeads(
                        checkpoint,
                        depth,
                        config.precision().orElseGet(network.get()::precision),
                        network.filter(_ -> checkpoint.projection() == Projection.TARGET),
                        checkpoint.tokenMap())
                : new ScriptedHeads(
                        checkpoint,
                        depth,
                        config.precision()
                                .map(each -> each.ofTensors("drafter 'medusa'"))
                                .orElse(ElementType.F32),
                        lender(checkpoint, target),
                        checkpoint.tokenMap());
    }

    private static Optional<SharedWeights> lender(HeadWeights heads, TargetModel target) {
        return switch (heads.projection()) {
            case PER_HEAD, ONE -> Optional.empty();
            case TARGET ->
                    Optional.of(
                            target.capability(SharedWeights.class)
                                    .orElseThrow(() ->
                                            new OutriderException(
                                                    ErrorCode.CAPABILITY_MISSING,
                                                    "the heads have no projection of their own, and target '%s' (%s) does not lend its language-model head"
                                                            .formatted(
                                                                    target.description().name(),
                                                                    target.description().backend()),
                                                    "Use a target that lends it, such as 'vector' or 'djl', or"
                                                            + " heads with projections.")));
        };
    }
}
