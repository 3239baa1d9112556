package dev.outrider.drafting.head;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;

/// The keys of every drafter that runs a trained head step by step; its configuration includes them with [Inline].
public record HeadKeys(
        @Doc("Folder of the head: config.json and safetensors.") Path path,
        @Inline Drafting drafting,
        @Doc(
                        "Number format of its weights: f32, bf16, f16, int8, int4 or w8a8; when it is not given, that"
                                + " of a target of 'vector', and f32 with other targets.")
                Optional<Precision> precision) {
    /// Returns the traits of a drafter with these keys that reads hidden states.
    public DrafterTraits traits() {
        return drafting.traits(true);
    }

    /// Returns the depth of the drafts, which is the number of heads that are used.
    ///
    /// @param drafter name, for messages
    /// @throws OutriderException as the other method
    public int requireDepth(String drafter, int heads) {
        return requireDepth(drafter, drafting.plan(), path, heads);
    }

    /// Returns the depth of drafts, which is the number of heads that are used.
    ///
    /// @param drafter name, for messages
    /// @param path    of the heads
    /// @throws OutriderException `CONFIG_INVALID` if there are fewer heads
    public static int requireDepth(String drafter, TreePlan plan, Path path, int heads) {
        int depth = plan.maxDepth();
        if (depth > heads) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "drafts of drafter '%s' are %d deep, but %s has %d heads"
                            .formatted(drafter, depth, path, heads),
                    "Give a 'length' or 'tree' of at most %d levels.".formatted(heads));
        }
        return depth;
    }

    /// Returns the number format of the weights.
    public Precision precision(TargetModel target) {
        return precision(precision, target);
    }

    /// Returns a number format: the given one, otherwise the target's if it runs in Java's vector code, otherwise f32.
    public static Precision precision(Optional<Precision> given, TargetModel target) {
        return given.or(() -> target.capability(VectorNetwork.class).map(VectorNetwork::precision))
                .orElse(Precision.F32);
    }
}
