package dev.outrider.drafter.hydraplusplus;

import dev.outrider.common.Undo;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.drafting.head.HeadCheckpoint;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.drafting.head.HydraHeads;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.target.TargetModel;
import java.util.Optional;

/// Loads the drafter: Hydra's heads on the state of the prefix layer.
///
/// @see "Ankner et al. 2024 (Hydra), section 4"
final class HydraPlusPlusDrafter {
    static final String NAME = "hydra-plus-plus";

    private HydraPlusPlusDrafter() {}

    static Drafter open(HydraPlusPlusConfig config, DrafterContext context) {
        var keys = config.head();
        var target = context.target();
        var directory = ModelPaths.open(keys.path());
        var root = ConfigNode.read(directory.config());
        try (var tensors = HeadTensors.open(directory, "hydra_lm_head")) {
            var head =
                    HeadCheckpoint.read(
                            NAME,
                            keys.path(),
                            tensors,
                            target.description(),
                            PrefixLayout::headTensors,
                            () -> PrefixLayout.read(root, tensors, target));
            var layout = head.layout();
            var source = new HeadTensors(tensors, "Hydra's authors, hydra_head_arch 'prefix-mlp'");
            HydraHeads.require(source, layout.sizes(), layout.linear());
            int guesses = keys.requireDepth(NAME, layout.sizes().heads());
            var matrices = new HeadMatrices(source::matrix, keys.precision(target));
            var shared = TargetWeights.of(NAME, target);
            var readers = readers(head, keys, target, shared);
            var heads =
                    new HydraHeads(
                            layout.sizes(), layout.linear(), guesses, matrices, shared, readers);
            return Undo.onFailure(
                    heads::close,
                    () -> {
                        head.log(NAME, keys.path());
                        return new SequenceDrafter(
                                heads,
                                keys.drafting(),
                                Optional.empty(),
                                heads.parameters() + Weight.parameters(layout.config()),
                                tensors.digest());
                    });
        }
    }

    /// Loads the prefix layer.
    ///
    /// @param shared closed if that fails
    private static PrefixReaders readers(
            HeadCheckpoint<PrefixLayout> head,
            HeadKeys keys,
            TargetModel target,
            TargetWeights shared) {
        return Undo.onFailure(
                shared::close,
                () ->
                        new PrefixReaders(
                                new TargetFit(NAME, target)
                                        .load(
                                                head.layout().config(),
                                                head.weights(),
                                                keys.precision())));
    }
}
