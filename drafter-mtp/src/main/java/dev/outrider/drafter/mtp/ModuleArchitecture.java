package dev.outrider.drafter.mtp;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.RopeReader;
import dev.outrider.nn.network.DecoderConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// The architecture of the decoder layer inside a checkpoint's modules, and of the target that the modules belong to, as the
/// configuration states them.
///
/// @param decoder          one decoder layer
/// @param targetLayers     decoder layers of the target; modules are counted after them in DeepSeek's layout
/// @param modules          number of modules, if the configuration has it
/// @param zeroCentredNorms whether norms are stored as the difference from 1
/// @param gatedQueries     whether the query projection also computes a gate for the attention's output
record ModuleArchitecture(
        DecoderConfig decoder,
        int targetLayers,
        Optional<Integer> modules,
        boolean zeroCentredNorms,
        boolean gatedQueries) {
    /// Families with special targets, and the layer in their modules.
    ///
    /// @param modelType  `model_type`
    /// @param outputBias whether the output projection has a bias if query, key and value have one
    /// @param headNorms  whether queries and keys pass a norm per head
    /// @param rotated    default of the rotated part of a head
    /// @param headSize   default width of a head; 0 for hidden size over heads
    /// @param zeroCentred both the norms' storage and the gated queries of Qwen3-Next
    private record Family(
            String modelType,
            boolean outputBias,
            boolean headNorms,
            double rotated,
            int headSize,
            boolean zeroCentred) {}

    private static final List<Family> FAMILIES =
            List.of(
                    new Family("deepseek_v3", true, false, 1, 0, false),
                    new Family("glm4_moe", false, false, 0.5, 0, false),
                    new Family("qwen3_next", true, true, 0.25, 256, true),
                    new Family("qwen3_5", true, true, 0.25, 256, true),
                    new Family("qwen3_5_text", true, true, 0.25, 256, true),
                    new Family("qwen3_5_moe", true, true, 0.25, 256, true),
                    new Family("qwen3_5_moe_text", true, true, 0.25, 256, true));

    /// Reads the configuration beside the modules.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `MODEL_CONFIG_INVALID`, or `CHECKPOINT_UNSUPPORTED` for latent attention, partly
    ///                           rotated heads and other parts that the network does not support
    static ModuleArchitecture read(ConfigNode file) {
        var root =
                file.object("transformer_layer_config")
                        .or(() -> file.object("text_config"))
                        .orElse(file);
        refuseLatentAttention(root);
        var type = root.text("model_type", "(none)");
        var family = FAMILIES.stream().filter(known -> known.modelType().equals(type)).findFirst();
        var decoder =
                family.map(known -> decoder(root, known))
                        .orElseGet(() -> ordinary(root, ModelConfig.of(root).decoder()));
        boolean zeroCentred = family.map(Family::zeroCentred).orElse(false);
        return new ModuleArchitecture(
                decoder,
                root.positive("num_hidden_layers"),
                modules(file).or(() -> modules(root)),
                zeroCentred,
                zeroCentred && root.truth("attn_output_gate", true));
    }

    /// Returns a layer with the form of a target that Outrider runs itself.
    private static DecoderConfig ordinary(ConfigNode root, DecoderConfig target) {
        if (!target.plain()) {
            throw root.unsupported(
                    "model_type '%s', whose layers are not as in Llama"
                            .formatted(root.text("model_type", "(none)")),
                    "modules with a layer as in Llama");
        }
        return layer(
                target,
                target.queryKeyValueBias(),
                target.outputBias(),
                target.queryKeyNorm(),
                target.firstWindowLayer() < target.layers()
                        ? target.slidingWindow()
                        : OptionalInt.empty());
    }

    private static DecoderConfig layer(
            DecoderConfig like,
            boolean bias,
            boolean outputBias,
            boolean headNorms,
            OptionalInt window) {
        return like.toBuilder()
                .layers(1)
                .queryKeyValueBias(bias)
                .outputBias(outputBias)
                .queryKeyNorm(headNorms)
                .slidingWindow(window)
                .firstWindowLayer(0)
                .build();
    }

    private static DecoderConfig decoder(ConfigNode root, Family family) {
        requireWholeRotation(root, family);
        int hidden = root.positive("hidden_size");
        int heads = root.positive("num_attention_heads");
        int positions = root.positive("max_position_embeddings", 32_768);
        var rope = RopeReader.read(root, positions);
        boolean bias = root.truth("attention_bias", false);
        try {
            return DecoderConfig.builder()
                    .vocabularySize(root.positive("vocab_size"))
                    .hiddenSize(hidden)
                    .intermediateSize(root.positive("intermediate_size"))
                    .layers(1)
                    .heads(heads)
                    .keyValueHeads(root.positive("num_key_value_heads", heads))
                    .headSize(
                            root.positive(
                                    "head_dim",
                                    family.headSize() > 0 ? family.headSize() : hidden / heads))
                    .maxPositions(positions)
                    .normEpsilon(root.number("rms_norm_eps", 1e-6))
                    .tiedHead(root.truth("tie_word_embeddings", false))
                    .queryKeyValueBias(bias)
                    .outputBias(bias && family.outputBias())
                    .queryKeyNorm(family.headNorms() || root.truth("use_qk_norm", false))
                    .ropeTheta(rope.theta())
                    .ropeScaling(rope.scaling())
                    .build();
        } catch (IllegalArgumentException e) {
            throw root.invalid("describes no decoder layer: " + e.getMessage());
        }
    }

    /// Refuses configurations that rotate only a part of a head by default: that default differs between families. The reader of
    /// rotations refuses explicit values.
    private static void requireWholeRotation(ConfigNode root, Family family) {
        var key = "partial_rotary_factor";
        boolean written =
                root.has(key)
                        || root.object("rope_parameters").filter(rope -> rope.has(key)).isPresent();
        if (family.rotated() != 1 && !written) {
            throw root.unsupported(
                    "model_type '%s', whose heads are rotated by a part of %s where %s is not given"
                            .formatted(family.modelType(), family.rotated(), key),
                    "rotation of whole heads");
        }
    }

    private static void refuseLatentAttention(ConfigNode root) {
        if (root.has("kv_lora_rank") && root.node().path("kv_lora_rank").asInt() != 0) {
            throw root.unsupported(
                    "latent attention (MLA, %skv_lora_rank)".formatted(root.prefix()),
                    "modules with query, key and value projections");
        }
    }

    private static Optional<Integer> modules(ConfigNode root) {
        return Arrays.asList("num_nextn_predict_layers", "mtp_num_hidden_layers").stream()
                .filter(root::has)
                .findFirst()
                .map(root::positive);
    }
}
