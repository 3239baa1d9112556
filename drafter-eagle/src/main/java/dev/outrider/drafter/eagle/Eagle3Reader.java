package dev.outrider.drafter.eagle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.drafter.eagle.EagleLayout.Mask;
import dev.outrider.drafting.feature.Recycling;
import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.CapturedNorm;
import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetDescription;
import java.util.List;
import java.util.Optional;

/// Reads heads of EAGLE-3, and the parts of P-EAGLE's heads that are the same.
///
/// | layout | recognised by | layer ids mean | layers |
/// |---|---|---|---|
/// | speculators (also served by vLLM) | `speculators_model_type`, `speculators_config` | input of layer j | `layers.i.*` |
/// | DeepSpec | `target_layer_ids` | output of layer j, -1 the embedding | `layers.i.*`, every one wide |
/// | SpecForge | ids that begin with 1 | output of layer j | `midlayer.*` |
/// | original | nothing else | input of layer j; 2, L/2, L-3 when absent | `midlayer.*` |
///
/// Ids are translated to "residual stream after n layers": the input of layer j has passed j layers, its output
/// j + 1. The drafter's own configuration can set what the layout leaves out.
///
/// P-EAGLE adds the tensor `mask_hidden` and a mask token: `mask_token_id` in speculators' layout; vLLM also reads
/// `pard_token`, or else `ptd_token_id`.
record Eagle3Reader(
        EagleHead kind,
        ConfigNode root,
        CheckpointTensors tensors,
        TargetDescription target,
        LayoutOverrides wanted) {
    private enum Dialect {
        ORIGINAL,
        SPECFORGE,
        SPECULATORS,
        DEEPSPEC;

        String text() {
            return switch (this) {
                case ORIGINAL -> "original";
                case SPECFORGE -> "SpecForge";
                case SPECULATORS -> "speculators";
                case DEEPSPEC -> "DeepSpec";
            };
        }
    }

    private static final String AUXILIARY = "eagle_aux_hidden_state_layer_ids";
    private static final String TARGET_LAYERS = "target_layer_ids";
    private static final String FUSION = "fc.weight";
    private static final List<String> TOKEN_KEYS =
            List.of("mask_token_id", "pard_token", "ptd_token_id");
    private static final String MIDDLE = "midlayer.";

    /// @param kind EAGLE-3 or P-EAGLE
    /// @throws OutriderException `MODEL_CONFIG_INVALID`, `CHECKPOINT_UNSUPPORTED`, `CHECKPOINT_INCOMPLETE` or
    ///                           `CHECKPOINT_SHAPE_MISMATCH`
    static EagleLayout read(
            EagleHead kind,
            ConfigNode root,
            CheckpointTensors tensors,
            TargetDescription target,
            LayoutOverrides wanted) {
        return new Eagle3Reader(kind, root, tensors, target, wanted).layout();
    }

    private EagleLayout layout() {
        var dialect = dialect();
        var node = layerNode();
        var decoder = ModelConfig.of(node).decoder().stretchedTo(target.maxPositions());
        var captured = captured(dialect);
        int targetHidden = LayoutKeys.targetHidden(target, root);
        tensors.tensor(FUSION, decoder.hiddenSize(), (long) captured.size() * targetHidden);
        boolean middle = tensors.names().stream().anyMatch(name -> name.startsWith(MIDDLE));
        var names =
                EagleLayout.names(
                        "fc",
                        middle ? MIDDLE : "layers.N.",
                        root.truth("fc_norm", false) ? captured.size() : 0,
                        true);
        boolean everyLayer = dialect == Dialect.DEEPSPEC && decoder.layers() > 1;
        boolean recycleNormed = wanted.normOutput().orElse(root.truth("norm_output", false));
        var join = everyLayer ? Join.WIDE_EVERY_LAYER : Join.WIDE_FIRST_LAYER;
        var config =
                decoder.fused(
                        FusionConfig.of(
                                        join,
                                        targetHidden,
                                        root.positive("draft_vocab_size", decoder.vocabularySize()))
                                .capturing(captured.size(), capturedNorm())
                                .with(Switch.REDUCTION, Switch.OUTPUT_NORM, Switch.OWN_HEAD)
                                .with(
                                        wanted.layer()
                                                .normBeforeResidual()
                                                .orElse(root.truth("norm_before_residual", false)),
                                        Switch.NORMED_RESIDUAL)
                                .with(
                                        tensors.names().contains("embed_tokens.weight"),
                                        Switch.OWN_EMBEDDING));
        return new EagleLayout(
                dialect.text(),
                config,
                names,
                captured.stream().<HiddenState>map(HiddenState.AfterLayer::new).toList(),
                recycleNormed ? Recycling.AFTER_NORM : Recycling.BEFORE_NORM,
                Optional.empty());
    }

    private Dialect dialect() {
        if (root.has("speculators_model_type") || root.has("speculators_config")) {
            var expected = kind == EagleHead.PARALLEL ? "peagle" : "eagle3";
            var type = root.text("speculators_model_type", expected);
            if (!type.equals(expected)) {
                throw root.unsupported(
                        "speculators_model_type '%s'".formatted(type),
                        "'%s' by this drafter".formatted(expected));
            }
            return Dialect.SPECULATORS;
        }
        if (root.has(TARGET_LAYERS)) {
            return Dialect.DEEPSPEC;
        }
        var ids = auxiliary();
        return !ids.isEmpty() && ids.getFirst() == 1 ? Dialect.SPECFORGE : Dialect.ORIGINAL;
    }

    /// Returns the part that describes the layer, with the overrides of the drafter's configuration. A configuration
    /// without a base of the rotary frequencies means 10000, which is the reader's default.
    private ConfigNode layerNode() {
        var part = root.object("transformer_layer_config").orElse(root);
        ObjectNode copy = part.node().deepCopy();
        if (root.has("draft_num_hidden_layers")) {
            copy.put("num_hidden_layers", root.positive("draft_num_hidden_layers"));
        }
        wanted.layer().ropeTheta().ifPresent(theta -> copy.put("rope_theta", theta));
        return new ConfigNode(part.path(), part.prefix(), copy);
    }

    private List<Integer> auxiliary() {
        var own = root.ids(AUXILIARY);
        return own.isEmpty()
                ? root.object("eagle_config").map(node -> node.ids(AUXILIARY)).orElse(List.of())
                : own;
    }

    /// Returns the numbers of layers that the captured states have passed.
    private List<Integer> captured(Dialect dialect) {
        int all = target.layers();
        var given = auxiliary();
        var byDialect =
                switch (dialect) {
                    case DEEPSPEC -> LayoutKeys.ids(root, TARGET_LAYERS, -1, 1);
                    case SPECFORGE -> given.stream().map(id -> id + 1).toList();
                    case ORIGINAL, SPECULATORS ->
                            given.isEmpty() ? List.of(2, all / 2, all - 3) : given;
                };
        var layers = wanted.layer().capturedLayers().orElse(byDialect);
        return LayoutKeys.within(target, root, layers);
    }

    private CapturedNorm capturedNorm() {
        boolean each = root.truth("fc_norm", false);
        boolean joined = root.truth("norm_before_fc", false);
        if (each && joined) {
            throw root.invalid("has both fc_norm and norm_before_fc; expected at most one");
        }
        if (each) {
            return CapturedNorm.EACH;
        }
        return joined ? CapturedNorm.JOINED : CapturedNorm.NONE;
    }

    /// Reads a head of P-EAGLE.
    ///
    /// @throws OutriderException as [#read]
    static EagleLayout parallel(
            ConfigNode root,
            CheckpointTensors tensors,
            TargetDescription target,
            PEagleConfig wanted) {
        // Guesses pass nothing on to later guesses.
        var overrides = new LayoutOverrides(wanted.overrides(), Optional.of(false));
        var layer = read(EagleHead.PARALLEL, root, tensors, target, overrides);
        var fusion = layer.config().fusion().orElseThrow();
        return layer.masked(
                new Mask(
                        LayoutKeys.maskToken(
                                wanted.maskToken(),
                                root,
                                TOKEN_KEYS,
                                layer.config().vocabularySize()),
                        hidden(tensors, fusion.capturedWidth())));
    }

    /// The tensor has dimensions of 1 in front; their number depends on the dialect.
    private static float[] hidden(CheckpointTensors tensors, int width) {
        var stored = tensors.tensor(Mask.TENSOR);
        if (stored.elements() != width || stored.shape().getLast() != width) {
            throw ErrorCode.CHECKPOINT_SHAPE_MISMATCH.error(
                    "tensor '%s' in '%s' has shape %s; expected [1, 1, %d], the captured states end to end"
                            .formatted(Mask.TENSOR, tensors.source(), stored.shape(), width),
                    "Check that config.json and the weights belong together, and that the head was trained for this target.");
        }
        return stored.toFloats();
    }
}
