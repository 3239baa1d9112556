package dev.outrider.nn.network;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What checkpoints of the Llama family call their tensors.
///
/// @param decoder what the names of the decoder's tensors begin with
/// @param head    name of the language-model head
record WeightNames(String decoder, String head) implements WeightNaming {
    private static final String HEAD = "lm_head.weight";
    private static final Set<Weight> DRAFT_LAYER_ONLY =
            EnumSet.range(Weight.JOIN, Weight.STREAM_NORM);
    private static final WeightNames USUAL = new WeightNames("model.", HEAD);

    /// Models that also see or hear keep their decoder one level down; bare decoders have no level at all.
    private static final List<WeightNames> KNOWN =
            List.of(
                    USUAL,
                    new WeightNames("model.language_model.", HEAD),
                    new WeightNames("language_model.model.", "language_model." + HEAD),
                    new WeightNames("", HEAD));

    /// The spelling used among `names`; the usual one if none is recognised.
    static WeightNames in(Collection<String> names) {
        return KNOWN.stream()
                .filter(spelling -> names.contains(spelling.of(Weight.EMBEDDING, 0)))
                .findFirst()
                .orElse(USUAL);
    }

    @Override
    public List<String> names(Weight weight, int layer) {
        return DRAFT_LAYER_ONLY.contains(weight) ? List.of() : List.of(of(weight, layer));
    }

    /// The name of a weight.
    ///
    /// @param layer counts from 0; 0 for weights that are not per layer
    /// @throws IllegalArgumentException if only draft layers have such a weight
    String of(Weight weight, int layer) {
        return switch (weight) {
            case EMBEDDING -> decoder + "embed_tokens.weight";
            case FINAL_NORM -> decoder + "norm.weight";
            case HEAD -> head;
            case INPUT_NORM -> inLayer(layer, "input_layernorm.weight");
            case QUERY -> inLayer(layer, "self_attn.q_proj.weight");
            case KEY -> inLayer(layer, "self_attn.k_proj.weight");
            case VALUE -> inLayer(layer, "self_attn.v_proj.weight");
            case QUERY_BIAS -> inLayer(layer, "self_attn.q_proj.bias");
            case KEY_BIAS -> inLayer(layer, "self_attn.k_proj.bias");
            case VALUE_BIAS -> inLayer(layer, "self_attn.v_proj.bias");
            case QUERY_NORM -> inLayer(layer, "self_attn.q_norm.weight");
            case KEY_NORM -> inLayer(layer, "self_attn.k_norm.weight");
            case OUTPUT -> inLayer(layer, "self_attn.o_proj.weight");
            case OUTPUT_BIAS -> inLayer(layer, "self_attn.o_proj.bias");
            case FEED_FORWARD_NORM -> inLayer(layer, "post_attention_layernorm.weight");
            case GATE -> inLayer(layer, "mlp.gate_proj.weight");
            case UP -> inLayer(layer, "mlp.up_proj.weight");
            case DOWN -> inLayer(layer, "mlp.down_proj.weight");
            case GATE_BIAS -> inLayer(layer, "mlp.gate_proj.bias");
            case UP_BIAS -> inLayer(layer, "mlp.up_proj.bias");
            case DOWN_BIAS -> inLayer(layer, "mlp.down_proj.bias");
            case JOIN,
                    JOIN_BIAS,
                    REDUCTION,
                    CAPTURED_NORM,
                    EMBEDDING_NORM,
                    FEATURE_NORM,
                    STREAM_NORM ->
                    throw new IllegalArgumentException(weight + " has no name in a decoder");
        };
    }

    private String inLayer(int layer, String name) {
        return "%slayers.%d.%s".formatted(decoder, layer, name);
    }
}
