package dev.outrider.drafter.eagle;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.torch.LayerScript;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.RowSource;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.TrainingTimeTest;
import dev.outrider.training.TrainingTimeTest.DepthPlan;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The configuration of `train p-eagle`.
public record PEagleTraining(@Inline FrozenTargetKeys keys, @Doc("The head.") PEaglePlan head)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedPEagle(target, keys, head);
    }

    /// `train p-eagle`.
    public static final class Trainer extends HeadTrainer<PEagleTraining> {
        public Trainer() {
            super(
                    EagleHead.PARALLEL.drafter(),
                    PEagleTraining.class,
                    "Trains a P-EAGLE head on a target that stays as it is.",
                    "The head learns from text to guess several tokens in one pass: the next token at every place, and further ones, from masks, at fewer and fewer places drawn at random.",
                    "train p-eagle --config configs/training/p-eagle.yaml");
        }
    }

    /// A P-EAGLE head in training; it reads the target's embedding. It is initialised as an EAGLE-3 head: its feature is the last
    /// captured state, and its last norm and its head are the target's.
    ///
    /// The program is `p-eagle.torchscript`.
    ///
    /// @see "Hui et al. 2026 (P-EAGLE), sections 3 and 4"
    static final class TrainedPEagle implements TrainedHead {
        /// A slot pairs the feature of a place with the next token.
        static final int AHEAD = 1;

        private final FrozenTarget target;
        private final FrozenTargetKeys keys;
        private final PEaglePlan plan;
        private final DecoderConfig layers;
        private final HeadParameters parts;

        /// @throws IllegalArgumentException if rows are too short, or the target has fewer layers than are captured, or no
        ///                                  mask token
        TrainedPEagle(FrozenTarget target, FrozenTargetKeys keys, PEaglePlan plan) {
            HeadParameters.requireLayers(target, plan.capturedLayers());
            HeadParameters.requireMask(target, plan.depths().maskToken());
            TrainingTimeTest.requireRoom(keys.training().contextTokens() + 1, plan.depths(), AHEAD);
            this.target = target;
            this.keys = keys;
            this.plan = plan;
            layers =
                    HeadJson.layersLike(target.config(), plan.layers(), plan.intermediateSize())
                            .build();
            parts = new HeadParameters(target, layers, keys.training().seed());
        }

        @Override
        public Map<String, String> facts() {
            return Map.of("head", plan.toString());
        }

        @Override
        public List<Parameter> parameters() {
            int hidden = layers.hiddenSize();
            var sizes = parts.capturedSizes(plan.capturedLayers());
            var list = new ArrayList<Parameter>();
            list.add(
                    Parameter.of(
                            EagleLayout.Mask.TENSOR,
                            new Parameter.Initial.Normal(1),
                            1,
                            1,
                            (long) sizes.size() * hidden));
            list.addAll(TrainedEagle.wide(parts, "layers.0.", sizes));
            for (int layer = 1; layer < plan.layers(); layer++) {
                list.addAll(HeadParameters.ordinary(layers, "layers.%d.".formatted(layer)));
            }
            list.add(parts.copied("norm.weight", Weight.FINAL_NORM, hidden));
            list.add(parts.copied("lm_head.weight", Weight.HEAD, layers.vocabularySize(), hidden));
            return list;
        }

        @Override
        public String program() {
            var training = keys.training();
            return TrainingScripts.linear(training.precision())
                    + LayerScript.methods(layers)
                    + TrainingScripts.slots(
                            plan.depths(), training.contextTokens() + 1, AHEAD, plan.divergence())
                    + TorchScript.resource(TrainedPEagle.class, "p-eagle")
                    + TorchScript.constants(
                            Map.of(
                                    "layers", plan.layers(),
                                    "captured", plan.capturedLayers().size()));
        }

        @Override
        public List<String> measures() {
            return plan.depths().measures();
        }

        @Override
        public List<NDArray> constants(PtNDManager manager) {
            return parts.constants(
                    new Shape(keys.training().contextTokens(), layers.headSize()), manager);
        }

        @Override
        public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
            var outputs = HeadParameters.states(target, rows, plan.capturedLayers(), manager);
            var slots = TrainingTimeTest.draw(rows, plan.depths(), AHEAD, keys.training().seed());
            var inputs = new ArrayList<>(slots.inputs(manager));
            inputs.add(outputs.hidden(HeadParameters.FEATURE));
            inputs.addAll(HeadParameters.captured(outputs, plan.capturedLayers()));
            return inputs;
        }

        @Override
        public String configJson(int endOfText) {
            var layer = HeadJson.ofLayers(layers, endOfText, keys.storage().type());
            var root = HeadJson.object();
            root.putArray("architectures").add("PEagleSpeculator");
            root.put("speculators_model_type", "peagle");
            var method = root.putObject("speculators_config");
            method.put("algorithm", "peagle");
            method.putArray("proposal_methods")
                    .addObject()
                    .put("proposal_type", "greedy")
                    .put("speculative_tokens", plan.depths().depths());
            method.put("default_proposal_method", "greedy");
            method.putObject("verifier").put("name_or_path", keys.targetName());
            root.set("transformer_layer_config", layer);
            root.put("draft_vocab_size", layers.vocabularySize());
            var ids = root.putArray("eagle_aux_hidden_state_layer_ids");
            plan.capturedLayers().forEach(ids::add);
            root.put("mask_token_id", plan.depths().maskToken());
            root.put("norm_before_residual", false);
            root.put("norm_before_fc", false);
            root.put("fc_norm", false);
            root.put("tie_word_embeddings", false);
            root.set("torch_dtype", layer.path("torch_dtype"));
            return HeadJson.text(root);
        }
    }

    /// The P-EAGLE head to train, and its loss.
    public record PEaglePlan(
            @Doc("Layers, the first of which reads embedding and feature.") @Default("2")
                    int layers,
            @Doc("Width of their feed-forward layers; 0 for the target's.") @Default("0")
                    int intermediateSize,
            @Doc(
                            "The captured states as numbers of layers the target's residual stream has passed; 0 is the embedding.")
                    List<Integer> capturedLayers,
            @Inline DepthPlan depths,
            @Doc("How the head's distribution is compared with the target's.")
                    @Default("forward-kl")
                    Divergence divergence) {
        public PEaglePlan {
            capturedLayers = LayoutKeys.captured(capturedLayers, 0);
            Require.atLeast("'layers'", layers, 1);
            Require.atLeast("'intermediateSize'", intermediateSize, 0);
        }
    }
}
