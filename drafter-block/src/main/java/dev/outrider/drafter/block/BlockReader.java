package dev.outrider.drafter.block;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.drafter.block.BlockLayout.Slots;
import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.BlockForm.LayerKind;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Reads checkpoints of DFlash and DSpark.
///
/// | layout | recognised by | layer ids mean | guesses from the anchor | heads' switches |
/// |---|---|---|---|---|
/// | speculators (also served by vLLM) | `speculators_model_type` | input of layer j | `sample_from_anchor`; DSpark yes, DFlash no | at the top; on by default in DSpark |
/// | DFlash's authors, SpecForge | `dflash_config` | output of layer j | DSpark yes, DFlash no | in `dflash_config` |
/// | DSpark's authors (DeepSpec) | `target_layer_ids` at the top | output of layer j, -1 the embedding | yes | at the top |
///
/// Ids are translated to "residual stream after n layers": the input of layer j has passed j layers, its output j + 1. Layers are
/// Qwen3's for every `model_type`, as in all three. In layers with a window a row sees the rows of context and block that are less than
/// the window before it, as in inference engines; speculators trains with a window that ends at the anchor for all slots.
///
/// @see "vllm-project/speculators 0f0bb1e2, models/dflash and models/dspark; sgl-project/SpecForge 8afee03a, modeling/draft;
///      z-lab/dflash 44947fb, dflash/model.py; deepseek-ai/DeepSpec 5905deb, modeling/dspark"
final class BlockReader {
    private enum Dialect {
        SPECULATORS("speculators"),
        NESTED("dflash_config"),
        DEEPSPEC("DeepSpec");

        private final String text;

        Dialect(String text) {
            this.text = text;
        }
    }

    /// The default values of Transformers' Qwen3 for keys that speculators leaves out.
    private static final Map<String, Integer> QWEN3 =
            Map.of(
                    "vocab_size", 151_936,
                    "hidden_size", 4096,
                    "intermediate_size", 22_016,
                    "num_hidden_layers", 32,
                    "num_attention_heads", 32,
                    "num_key_value_heads", 32);

    private static final String TYPE = "speculators_model_type";
    private static final String TARGET_LAYERS = "target_layer_ids";
    private static final String LAYER_TYPES = "layer_types";
    private static final String ANCHOR = "sample_from_anchor";
    private static final String MASK = "mask_token_id";
    private static final String BLOCK = "block_size";
    private static final int MAX_SLOTS = 1024;
    private static final int MAX_RANK = 1 << 16;

    private final ConfigNode root;
    private final CheckpointTensors tensors;
    private final TargetDescription target;
    private final BlockOverrides wanted;
    private final Dialect dialect;

    /// The object that has the switches.
    private final ConfigNode switches;

    private BlockReader(
            ConfigNode root,
            CheckpointTensors tensors,
            TargetDescription target,
            BlockOverrides wanted) {
        this.root = root;
        this.tensors = tensors;
        this.target = target;
        this.wanted = wanted;
        dialect = dialect();
        switches = dialect == Dialect.NESTED ? root.object("dflash_config").orElseThrow() : root;
    }

    /// @throws dev.outrider.spi.error.OutriderException        `MODEL_CONFIG_INVALID`, `CHECKPOINT_UNSUPPORTED`, `CHECKPOINT_INCOMPLETE` or
    ///                                  `CHECKPOINT_SHAPE_MISMATCH`
    /// @throws IllegalArgumentException if its sizes contradict each other or the target's
    static BlockLayout read(
            ConfigNode root,
            CheckpointTensors tensors,
            TargetDescription target,
            BlockOverrides wanted) {
        return new BlockReader(root, tensors, target, wanted).layout();
    }

    private BlockLayout layout() {
        var heads = heads();
        var captured = captured();
        int blockSize = blockSize();
        var config = backbone(captured.size(), blockSize);
        boolean older = tensors.names().stream().anyMatch(name -> name.startsWith("logit_head."));
        return new BlockLayout(
                dialect.text,
                config,
                BlockLayout.NAMES,
                older ? "logit_head." : "",
                new Slots(
                        blockSize,
                        LayoutKeys.maskToken(
                                wanted.maskToken(),
                                switches.has(MASK) ? switches : root,
                                List.of(MASK),
                                config.vocabularySize()),
                        fromAnchor()),
                heads,
                captured.stream().<HiddenState>map(HiddenState.AfterLayer::new).toList());
    }

    private Dialect dialect() {
        if (root.has(TYPE)) {
            var type = root.text(TYPE, "");
            if (!type.equals("dflash") && !type.equals("dspark")) {
                throw root.unsupported(
                        "%s '%s'".formatted(TYPE, type), "'dflash' and 'dspark' by this drafter");
            }
            return Dialect.SPECULATORS;
        }
        if (root.object("dflash_config").isPresent()) {
            return Dialect.NESTED;
        }
        if (root.has(TARGET_LAYERS)) {
            return Dialect.DEEPSPEC;
        }
        throw root.unsupported(
                "neither %s nor dflash_config nor %s".formatted(TYPE, TARGET_LAYERS),
                "block drafters in the layouts of speculators, SpecForge, and the authors of DFlash and DSpark");
    }

    private DecoderConfig backbone(int captured, int blockSize) {
        var node = layerNode();
        var plain = ModelConfig.of(node).decoder();
        boolean biased = node.truth("attention_bias", false);
        var kinds = kinds(plain.layers());
        var builder =
                plain.toBuilder()
                        .maxPositions(Math.addExact(target.maxPositions(), blockSize))
                        .queryKeyNorm(true)
                        .queryKeyValueBias(biased)
                        .outputBias(biased)
                        .tiedHead(false);
        if (kinds.contains(LayerKind.LOCAL)) {
            builder.slidingWindow(OptionalInt.of(part().positive("sliding_window")))
                    .form(plain.form().withKinds(kinds));
        }
        int targetHidden = LayoutKeys.targetHidden(target, root);
        tensors.tensor("fc.weight", plain.hiddenSize(), (long) captured * targetHidden);
        int headSize =
                dialect == Dialect.SPECULATORS
                        ? root.positive("draft_vocab_size", plain.vocabularySize())
                        : plain.vocabularySize();
        boolean ownHead =
                headSize != plain.vocabularySize() || tensors.names().contains("lm_head.weight");
        var fusion =
                FusionConfig.of(FusionConfig.Join.CONTEXT, targetHidden, headSize)
                        .capturing(captured, FusionConfig.CapturedNorm.NONE)
                        .with(Switch.REDUCTION, Switch.FEATURE_NORM)
                        .with(Switch.FIRST_INPUT_NORM, Switch.OUTPUT_NORM)
                        .with(root.truth("sliding_window_non_causal", false), Switch.MUTUAL_WINDOWS)
                        .with(tensors.names().contains("embed_tokens.weight"), Switch.OWN_EMBEDDING)
                        .with(ownHead, Switch.OWN_HEAD);
        return builder.fusion(Optional.of(fusion)).build();
    }

    private ConfigNode part() {
        return root.object("transformer_layer_config").orElse(root);
    }

    /// Returns the part that describes the layer, without keys that the decoder's reader would read in another way.
    private ConfigNode layerNode() {
        var part = part();
        ObjectNode copy = part.node().deepCopy();
        if (!part.has("model_type")) {
            copy.put("model_type", "qwen3");
        }
        if (dialect == Dialect.SPECULATORS && copy.path("model_type").asText().equals("qwen3")) {
            QWEN3.forEach((key, value) -> {
                if (!part.has(key)) {
                    copy.put(key, value);
                }
            });
        }
        if (part.has(LAYER_TYPES)) {
            copy.remove(LAYER_TYPES);
            copy.put("use_sliding_window", false);
        }
        return new ConfigNode(part.path(), part.prefix(), copy);
    }

    /// Returns whether each layer has a window, if the file lists it; empty otherwise.
    private List<LayerKind> kinds(int layers) {
        var types = part().texts(LAYER_TYPES);
        if (!types.isEmpty() && types.size() != layers) {
            throw part().invalid(
                            "has %d %s for %d layers".formatted(types.size(), LAYER_TYPES, layers));
        }
        return types.stream()
                .map(type ->
                        switch (type) {
                            case "full_attention" -> LayerKind.GLOBAL;
                            case "sliding_attention" -> LayerKind.LOCAL;
                            default ->
                                    throw part().unsupported(
                                                    "a layer of type '%s'".formatted(type),
                                                    "full_attention and sliding_attention");
                        })
                .toList();
    }

    private int blockSize() {
        var node = root.has(BLOCK) || dialect != Dialect.NESTED ? root : switches;
        int size = dialect == Dialect.SPECULATORS ? node.positive(BLOCK, 8) : node.positive(BLOCK);
        if (size > MAX_SLOTS || size < (fromAnchor() ? 1 : 2)) {
            throw node.wrong(BLOCK, "%d to %d".formatted(fromAnchor() ? 1 : 2, MAX_SLOTS));
        }
        return size;
    }

    private boolean fromAnchor() {
        boolean byDialect =
                switch (dialect) {
                    case SPECULATORS -> root.truth(ANCHOR, root.text(TYPE, "").equals("dspark"));
                    case NESTED -> projector().equals("dspark");
                    case DEEPSPEC -> true;
                };
        return wanted.sampleFromAnchor().orElse(byDialect);
    }

    /// Returns the kind by SpecForge's and DFlash's names; DFlash if the file does not have it.
    private String projector() {
        boolean named = root.texts("architectures").contains("DSparkDraftModel");
        var type = switches.text("projector_type", named ? "dspark" : "dflash");
        if (!type.equals("dflash") && !type.equals("dspark")) {
            throw switches.unsupported("projector_type '%s'".formatted(type), "dflash and dspark");
        }
        return type;
    }

    private HeadForm heads() {
        boolean spark =
                switch (dialect) {
                    case SPECULATORS -> root.text(TYPE, "").equals("dspark");
                    case NESTED -> projector().equals("dspark");
                    case DEEPSPEC -> true;
                };
        if (!spark) {
            return HeadForm.NONE;
        }
        boolean byDefault = dialect == Dialect.SPECULATORS;
        int rank = switches.natural("markov_rank", byDefault ? 256 : 0);
        if (rank > MAX_RANK) {
            throw switches.wrong("markov_rank", "at most " + MAX_RANK);
        }
        boolean confidence =
                switches.truth(
                        "enable_confidence_head",
                        byDefault || switches.node().path("confidence_head_alpha").asDouble(0) > 0);
        boolean reads = confidence && switches.truth("confidence_head_with_markov", byDefault);
        if (reads && rank == 0) {
            throw switches.wrong("confidence_head_with_markov", "false, for markov_rank is 0");
        }
        return new HeadForm(
                rank == 0 ? Optional.empty() : Optional.of(new HeadForm.Markov(rank, type())),
                confidence,
                reads);
    }

    private HeadForm.Type type() {
        return switch (switches.text("markov_head_type", "vanilla")) {
            case "vanilla" -> HeadForm.Type.VANILLA;
            case "gated" -> HeadForm.Type.GATED;
            case "rnn" -> HeadForm.Type.RNN;
            default -> throw switches.wrong("markov_head_type", "vanilla, gated or rnn");
        };
    }

    /// Returns the numbers of layers that the captured states have passed.
    private List<Integer> captured() {
        var layers =
                wanted.capturedLayers()
                        .orElseGet(() ->
                                dialect == Dialect.SPECULATORS
                                        ? LayoutKeys.ids(root, "aux_hidden_state_layer_ids", 0, 0)
                                        : outputs());
        return LayoutKeys.within(target, root, layers);
    }

    private List<Integer> outputs() {
        if (dialect == Dialect.NESTED && !switches.has(TARGET_LAYERS)) {
            return spread(
                    root.positive("num_target_layers", target.layers()),
                    root.positive("num_hidden_layers"));
        }
        return LayoutKeys.ids(switches, TARGET_LAYERS, dialect == Dialect.DEEPSPEC ? -1 : 0, 1);
    }

    /// Returns the layers that DFlash's authors use if a file names none: as many as there are draft layers, from the
    /// second to the third last.
    private static List<Integer> spread(int targetLayers, int draftLayers) {
        if (draftLayers == 1) {
            return List.of(targetLayers / 2 + 1);
        }
        int span = targetLayers - 4;
        var layers = new ArrayList<Integer>();
        for (int index = 0; index < draftLayers; index++) {
            double place = 1 + (double) (index * span) / (draftLayers - 1);
            layers.add((int) Math.rint(place) + 1);
        }
        return layers;
    }
}
