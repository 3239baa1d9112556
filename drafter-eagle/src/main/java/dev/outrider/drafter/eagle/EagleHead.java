package dev.outrider.drafter.eagle;

import dev.outrider.common.Undo;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadCheckpoint;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// The kinds of heads, which differ in the names of their tensors in every layout; loads them.
enum EagleHead {
    FIRST("eagle", "EAGLE-1") {
        @Override
        boolean recognises(Set<String> names) {
            return (names.contains("fc.weight") || names.contains("fusion_fc.weight"))
                    && !names.contains("lm_head.weight")
                    && !THIRD.recognises(names)
                    && !PARALLEL.recognises(names);
        }
    },
    THIRD("eagle3", "EAGLE-3") {
        @Override
        boolean recognises(Set<String> names) {
            return !PARALLEL.recognises(names)
                    && names.stream()
                            .anyMatch(name ->
                                    name.startsWith("midlayer.")
                                            || name.endsWith(".hidden_norm.weight"));
        }
    },
    PARALLEL("p-eagle", "P-EAGLE") {
        @Override
        boolean recognises(Set<String> names) {
            return names.contains(EagleLayout.Mask.TENSOR);
        }
    };

    private final String drafter;
    private final String text;

    EagleHead(String drafter, String text) {
        this.drafter = drafter;
        this.text = text;
    }

    /// Returns the name of the drafter that runs it.
    String drafter() {
        return drafter;
    }

    abstract boolean recognises(Set<String> names);

    /// Loads a head of EAGLE-1 or EAGLE-2.
    static Drafter open(EagleConfig config, DrafterContext context) {
        return FIRST.load(
                config.head(),
                config.engine(),
                context.target(),
                (root, tensors, target) ->
                        EagleReader.read(root, tensors, target, config.featureFirst()));
    }

    /// Loads a head of EAGLE-3.
    static Drafter open(Eagle3Config config, DrafterContext context) {
        return THIRD.load(
                config.head(),
                config.engine(),
                context.target(),
                (root, tensors, target) ->
                        Eagle3Reader.read(THIRD, root, tensors, target, config.overrides()));
    }

    /// Loads a head of P-EAGLE.
    static Drafter open(PEagleConfig config, DrafterContext context) {
        return PARALLEL.load(
                config.head(),
                config.engine(),
                context.target(),
                (root, tensors, target) -> Eagle3Reader.parallel(root, tensors, target, config));
    }

    /// Reads a checkpoint of this kind without building its network.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if it is of another kind, or as [HeadCheckpoint#read]
    HeadCheckpoint<EagleLayout> read(
            Path path,
            ConfigNode root,
            CheckpointTensors tensors,
            TargetDescription target,
            LayoutReader reader) {
        require(tensors);
        return HeadCheckpoint.read(
                drafter,
                path,
                tensors,
                target,
                _ -> Set.of(),
                () -> reader.read(root, tensors, target));
    }

    /// Reads the layout of a checkpoint.
    @FunctionalInterface
    interface LayoutReader {
        /// @throws IllegalArgumentException if the head does not fit the target
        EagleLayout read(ConfigNode root, CheckpointTensors tensors, TargetDescription target);
    }

    /// A head with a mask guesses in one pass, any other in one pass for each guess.
    private Drafter load(
            HeadKeys keys, BackendKey engine, TargetModel target, LayoutReader reader) {
        var directory = ModelPaths.open(keys.path());
        var root = ConfigNode.read(directory.config());
        try (var tensors = directory.openTensors()) {
            var head = read(keys.path(), root, tensors, target.description(), reader);
            var network =
                    new TargetFit(drafter, target)
                            .load(
                                    head.layout().config(),
                                    head.weights(),
                                    keys.precision(),
                                    engine.backend(),
                                    1);
            return Undo.onFailure(
                    network::close,
                    () -> {
                        head.log(drafter, keys.path());
                        return drafter(head, network, keys, tensors.digest());
                    });
        }
    }

    /// @param network closed with the drafter
    private static Drafter drafter(
            HeadCheckpoint<EagleLayout> head,
            FeatureNetwork network,
            HeadKeys keys,
            String digest) {
        var layout = head.layout();
        long parameters = Weight.parameters(layout.config());
        return layout.mask()
                .<Drafter>map(mask ->
                        new ParallelDrafter(
                                network,
                                layout.captured(),
                                mask,
                                head.vocabulary(),
                                keys.drafting(),
                                parameters,
                                digest))
                .orElseGet(() ->
                        new FeatureDrafter(
                                List.of(network),
                                layout.captured(),
                                layout.recycling(),
                                head.vocabulary(),
                                keys.drafting(),
                                parameters,
                                digest));
    }

    /// Refuses a head that is clearly of another kind. A head of an unclear kind is left to its reader.
    private void require(CheckpointTensors tensors) {
        Arrays.stream(values())
                .filter(kind -> kind != this && kind.recognises(tensors.names()))
                .findFirst()
                .ifPresent(other -> {
                    throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                            "'%s' holds a head of %s; drafter '%s' expects one of %s"
                                    .formatted(tensors.source(), other.text, drafter, text),
                            "Choose the drafter '%s' for this head, or another head."
                                    .formatted(other.drafter));
                });
    }
}
