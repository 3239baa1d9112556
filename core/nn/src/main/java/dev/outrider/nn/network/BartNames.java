package dev.outrider.nn.network;

import java.util.List;
import java.util.Set;

/// What checkpoints of BART and Marian call their tensors.
///
/// @param part encoder or decoder
record BartNames(Part part) implements WeightNaming {
    private static final String BIAS = ".bias";
    private static final String WEIGHT = ".weight";

    @Override
    public List<String> names(Weight weight, int layer) {
        return switch (weight) {
            case EMBEDDING -> List.of("model.shared.weight");
            case HEAD -> List.of("lm_head.weight");
            case HEAD_BIAS -> List.of("final_logits_bias");
            case POSITIONS -> List.of(stack() + "embed_positions.weight");
            case START_NORM -> List.of(stack() + "layernorm_embedding.weight");
            case START_NORM_BIAS -> List.of(stack() + "layernorm_embedding.bias");
            case QUERY -> in(layer, "self_attn.q_proj", WEIGHT);
            case KEY -> in(layer, "self_attn.k_proj", WEIGHT);
            case VALUE -> in(layer, "self_attn.v_proj", WEIGHT);
            case OUTPUT -> in(layer, "self_attn.out_proj", WEIGHT);
            case QUERY_BIAS -> in(layer, "self_attn.q_proj", BIAS);
            case KEY_BIAS -> in(layer, "self_attn.k_proj", BIAS);
            case VALUE_BIAS -> in(layer, "self_attn.v_proj", BIAS);
            case OUTPUT_BIAS -> in(layer, "self_attn.out_proj", BIAS);
            case INPUT_NORM -> in(layer, "self_attn_layer_norm", WEIGHT);
            case INPUT_NORM_BIAS -> in(layer, "self_attn_layer_norm", BIAS);
            case CROSS_NORM -> ofSource(layer, "encoder_attn_layer_norm", WEIGHT);
            case CROSS_NORM_BIAS -> ofSource(layer, "encoder_attn_layer_norm", BIAS);
            case CROSS_QUERY -> ofSource(layer, "encoder_attn.q_proj", WEIGHT);
            case CROSS_KEY -> ofSource(layer, "encoder_attn.k_proj", WEIGHT);
            case CROSS_VALUE -> ofSource(layer, "encoder_attn.v_proj", WEIGHT);
            case CROSS_OUTPUT -> ofSource(layer, "encoder_attn.out_proj", WEIGHT);
            case CROSS_QUERY_BIAS -> ofSource(layer, "encoder_attn.q_proj", BIAS);
            case CROSS_KEY_BIAS -> ofSource(layer, "encoder_attn.k_proj", BIAS);
            case CROSS_VALUE_BIAS -> ofSource(layer, "encoder_attn.v_proj", BIAS);
            case CROSS_OUTPUT_BIAS -> ofSource(layer, "encoder_attn.out_proj", BIAS);
            case UP -> in(layer, "fc1", WEIGHT);
            case UP_BIAS -> in(layer, "fc1", BIAS);
            case DOWN -> in(layer, "fc2", WEIGHT);
            case DOWN_BIAS -> in(layer, "fc2", BIAS);
            case FEED_FORWARD_NORM -> in(layer, "final_layer_norm", WEIGHT);
            case FEED_FORWARD_NORM_BIAS -> in(layer, "final_layer_norm", BIAS);
            default -> List.of();
        };
    }

    /// The other stack; copies of the embedding under the stacks' own names; a head beside a tied embedding; the sines of Marian, which
    /// are computed; and what BART for classes has beside.
    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return name.startsWith(part == Part.ENCODER ? "model.decoder." : "model.encoder.")
                || name.endsWith(".embed_tokens.weight")
                || name.endsWith(".embed_positions.weight")
                || name.equals("lm_head.weight")
                || part == Part.ENCODER && !name.startsWith("model.encoder.")
                || name.startsWith("classification_head.");
    }

    private String stack() {
        return part == Part.ENCODER ? "model.encoder." : "model.decoder.";
    }

    private List<String> ofSource(int layer, String name, String kind) {
        return part == Part.ENCODER ? List.of() : in(layer, name, kind);
    }

    private List<String> in(int layer, String name, String kind) {
        return List.of("%slayers.%d.%s%s".formatted(stack(), layer, name, kind));
    }
}
