package dev.outrider.drafter.hydraplusplus;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.torch.LayerScript;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.HydraTokenHeads;
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The configuration of `train hydra-plus-plus`.
public record HydraPlusPlusTraining(
        @Inline FrozenTargetKeys keys,
        @Doc(
                        "The heads; all blocks of a head after the first have the same parameters, as in the authors' program.")
                TokenHeads.Plan heads)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedPrefix(target, keys, heads);
    }

    /// `train hydra-plus-plus`.
    public static final class Trainer extends HeadTrainer<HydraPlusPlusTraining> {
        public Trainer() {
            super(
                    HydraPlusPlusDrafter.NAME,
                    HydraPlusPlusTraining.class,
                    "Trains Hydra++ heads and their prefix layer on a target that stays as it is.",
                    "As train hydra, but heads read the state of a layer that attends to all hidden states of the target.",
                    "train hydra-plus-plus --config configs/training/hydra-plus-plus.yaml");
        }
    }

    /// The prefix layer and the heads in training. All blocks of a head after the first are one block with shared weights;
    /// `hydra-plus-plus.torchscript` has the forward pass.
    ///
    /// @see "Ankner et al. 2024 (Hydra), section 4"
    static final class TrainedPrefix extends HydraTokenHeads {
        private static final PrefixNames STORED = new PrefixNames(Set.of());
        private static final Names NAMES =
                new Names(STORED::block, STORED::residual, STORED::projection);

        private final FrozenTargetKeys keys;
        private final DecoderConfig layer;

        /// @throws IllegalArgumentException if rows are too short for the last head to learn anything
        TrainedPrefix(FrozenTarget target, FrozenTargetKeys keys, Plan plan) {
            super(target, keys, plan, NAMES);
            this.keys = keys;
            layer = PrefixLayout.layerFor(target.config());
        }

        @Override
        public List<Parameter> parameters() {
            var list =
                    new ArrayList<>(
                            HeadParameters.ordinary(layer, PrefixLayout.LAYER.replace("N", "0")));
            list.add(
                    Parameter.of(
                            PrefixLayout.NORM,
                            new Parameter.Initial.Constant(stateSize()),
                            hidden()));
            list.addAll(headParameters());
            return list;
        }

        @Override
        protected String heads() {
            return LayerScript.methods(layer)
                    + hydraHeads()
                    + TorchScript.resource(TrainedPrefix.class, "hydra-plus-plus");
        }

        @Override
        public List<NDArray> constants(PtNDManager manager) {
            int positions = keys.training().contextTokens() + 1;
            var shape = new Shape(positions, 1, layer.headSize());
            var constants = new ArrayList<>(super.constants(manager));
            constants.addAll(1, HeadParameters.angles(layer, shape, manager));
            return constants;
        }

        @Override
        public String configJson(int endOfText) {
            return HeadJson.text(
                    describeHydra(HeadJson.ofLayers(layer, endOfText, keys.storage().type())));
        }

        @Override
        protected int storedBlocks() {
            return Math.min(2, plan().layers());
        }

        @Override
        protected String architecture() {
            return "prefix-mlp";
        }

        /// Returns the root mean square of the target's hidden states.
        private float stateSize() {
            try (var manager = TensorRuntime.newManager()) {
                var norm = weight(Weight.FINAL_NORM, manager);
                return (float) Math.sqrt(norm.mul(norm).mean().getFloat());
            }
        }
    }
}
