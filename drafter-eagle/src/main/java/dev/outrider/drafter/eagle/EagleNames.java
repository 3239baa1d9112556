package dev.outrider.drafter.eagle;

import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// What EAGLE checkpoints call their tensors.
///
/// @param fusion   what the tensors of the matrix beside the layers begin with, `fc` mostly
/// @param layer    what a layer's tensors begin with; `N` stands for its number
/// @param captured how many captured states have a norm each; 0 if one norm serves all
/// @param eagle3   whether `fusion` reduces captured states instead of joining halves
record EagleNames(String fusion, String layer, int captured, boolean eagle3)
        implements WeightNaming {
    @Override
    public List<String> names(Weight weight, int layer) {
        return switch (weight) {
            case EMBEDDING -> List.of("embed_tokens.weight");
            case FINAL_NORM -> List.of("norm.weight");
            case HEAD -> List.of("lm_head.weight");
            case JOIN -> eagle3 ? List.of() : List.of(fusion + ".weight");
            case JOIN_BIAS -> eagle3 ? List.of() : List.of(fusion + ".bias");
            case REDUCTION -> eagle3 ? List.of(fusion + ".weight") : List.of();
            case CAPTURED_NORM -> capturedNorms();
            case EMBEDDING_NORM -> eagle3 ? List.of() : List.of("embed_layernorm.weight");
            case FEATURE_NORM -> eagle3 ? List.of() : List.of("hidden_layernorm.weight");
            case STREAM_NORM -> in(layer, "hidden_norm.weight");
            case INPUT_NORM -> in(layer, "input_layernorm.weight");
            case QUERY -> in(layer, "self_attn.q_proj.weight");
            case KEY -> in(layer, "self_attn.k_proj.weight");
            case VALUE -> in(layer, "self_attn.v_proj.weight");
            case QUERY_BIAS -> in(layer, "self_attn.q_proj.bias");
            case KEY_BIAS -> in(layer, "self_attn.k_proj.bias");
            case VALUE_BIAS -> in(layer, "self_attn.v_proj.bias");
            case QUERY_NORM -> in(layer, "self_attn.q_norm.weight");
            case KEY_NORM -> in(layer, "self_attn.k_norm.weight");
            case OUTPUT -> in(layer, "self_attn.o_proj.weight");
            case OUTPUT_BIAS -> in(layer, "self_attn.o_proj.bias");
            case FEED_FORWARD_NORM -> in(layer, "post_attention_layernorm.weight");
            case GATE -> in(layer, "mlp.gate_proj.weight");
            case UP -> in(layer, "mlp.up_proj.weight");
            case DOWN -> in(layer, "mlp.down_proj.weight");
            case GATE_BIAS -> in(layer, "mlp.gate_proj.bias");
            case UP_BIAS -> in(layer, "mlp.up_proj.bias");
            case DOWN_BIAS -> in(layer, "mlp.down_proj.bias");
            default -> List.of();
        };
    }

    private List<String> capturedNorms() {
        if (!eagle3) {
            return List.of();
        }
        return captured == 0
                ? List.of("input_norm.weight")
                : IntStream.range(0, captured).mapToObj("fc_norm.%d.weight"::formatted).toList();
    }

    /// Maps of vocabularies and a mask, which are read on their own, and angles that older files keep.
    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return VocabularyMaps.NAMES.contains(name)
                || name.equals(MaskRow.TENSOR)
                || name.endsWith("rotary_emb.inv_freq");
    }

    /// What a layer's tensor is called.
    String inLayer(int number, String name) {
        return layer.replace("N", Integer.toString(number)) + name;
    }

    private List<String> in(int number, String name) {
        return List.of(inLayer(number, name));
    }
}
