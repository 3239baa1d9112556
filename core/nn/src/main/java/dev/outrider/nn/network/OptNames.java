package dev.outrider.nn.network;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What checkpoints of OPT call their tensors.
///
/// @param stem what names begin with
/// @see "Zhang et al. 2022 (OPT)"
record OptNames(String stem) implements WeightNaming {
    static Optional<WeightNaming> in(DecoderConfig config, Collection<String> names) {
        return Stream.of("model.decoder.", "decoder.")
                .filter(stem -> names.contains(stem + "embed_tokens.weight"))
                .<WeightNaming>map(OptNames::new)
                .findFirst();
    }

    @Override
    public List<String> names(Weight weight, int layer) {
        return switch (weight) {
            case EMBEDDING -> once("embed_tokens.weight");
            case POSITIONS -> once("embed_positions.weight");
            case HEAD -> List.of("lm_head.weight");
            case FINAL_NORM -> once("final_layer_norm.weight");
            case FINAL_NORM_BIAS -> once("final_layer_norm.bias");
            case INPUT_NORM -> in(layer, "self_attn_layer_norm.weight");
            case INPUT_NORM_BIAS -> in(layer, "self_attn_layer_norm.bias");
            case FEED_FORWARD_NORM -> in(layer, "final_layer_norm.weight");
            case FEED_FORWARD_NORM_BIAS -> in(layer, "final_layer_norm.bias");
            case QUERY -> in(layer, "self_attn.q_proj.weight");
            case KEY -> in(layer, "self_attn.k_proj.weight");
            case VALUE -> in(layer, "self_attn.v_proj.weight");
            case OUTPUT -> in(layer, "self_attn.out_proj.weight");
            case QUERY_BIAS -> in(layer, "self_attn.q_proj.bias");
            case KEY_BIAS -> in(layer, "self_attn.k_proj.bias");
            case VALUE_BIAS -> in(layer, "self_attn.v_proj.bias");
            case OUTPUT_BIAS -> in(layer, "self_attn.out_proj.bias");
            case UP -> in(layer, "fc1.weight");
            case UP_BIAS -> in(layer, "fc1.bias");
            case DOWN -> in(layer, "fc2.weight");
            case DOWN_BIAS -> in(layer, "fc2.bias");
            default -> List.of();
        };
    }

    /// A head beside a tied embedding.
    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return name.equals("lm_head.weight");
    }

    private List<String> once(String name) {
        return List.of(stem + name);
    }

    private List<String> in(int layer, String name) {
        return List.of("%slayers.%d.%s".formatted(stem, layer, name));
    }
}
