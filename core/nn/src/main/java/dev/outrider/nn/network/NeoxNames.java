package dev.outrider.nn.network;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What checkpoints of GPT-NeoX call their tensors: queries, keys and values of a head lie side by side in one matrix.
///
/// @param config whose matrices these are
/// @see "Black et al. 2022 (GPT-NeoX-20B); Biderman et al. 2023 (Pythia)"
record NeoxNames(DecoderConfig config) implements WeightNaming {
    private static final String STEM = "gpt_neox.";
    private static final String FUSED = "attention.query_key_value.";

    static Optional<WeightNaming> in(DecoderConfig config, Collection<String> names) {
        return names.stream().anyMatch(name -> name.startsWith(STEM))
                ? Optional.of(new NeoxNames(config))
                : Optional.empty();
    }

    @Override
    public List<String> names(Weight weight, int layer) {
        return parts(weight, layer).stream().map(TensorPart::name).toList();
    }

    @Override
    public List<TensorPart> parts(Weight weight, int layer) {
        return switch (weight) {
            case EMBEDDING -> once("embed_in.weight");
            case FINAL_NORM -> once("final_layer_norm.weight");
            case FINAL_NORM_BIAS -> once("final_layer_norm.bias");
            case HEAD -> List.of(TensorPart.whole("embed_out.weight"));
            case INPUT_NORM -> in(layer, "input_layernorm.weight");
            case INPUT_NORM_BIAS -> in(layer, "input_layernorm.bias");
            case FEED_FORWARD_NORM -> in(layer, "post_attention_layernorm.weight");
            case FEED_FORWARD_NORM_BIAS -> in(layer, "post_attention_layernorm.bias");
            case QUERY -> of(0, layer, "weight");
            case KEY -> of(1, layer, "weight");
            case VALUE -> of(2, layer, "weight");
            case QUERY_BIAS -> of(0, layer, "bias");
            case KEY_BIAS -> of(1, layer, "bias");
            case VALUE_BIAS -> of(2, layer, "bias");
            case OUTPUT -> in(layer, "attention.dense.weight");
            case OUTPUT_BIAS -> in(layer, "attention.dense.bias");
            case UP -> in(layer, "mlp.dense_h_to_4h.weight");
            case UP_BIAS -> in(layer, "mlp.dense_h_to_4h.bias");
            case DOWN -> in(layer, "mlp.dense_4h_to_h.weight");
            case DOWN_BIAS -> in(layer, "mlp.dense_4h_to_h.bias");
            default -> List.of();
        };
    }

    /// Masks and angles that older files keep.
    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return name.endsWith("attention.bias")
                || name.endsWith("attention.masked_bias")
                || name.endsWith("rotary_emb.inv_freq");
    }

    private List<TensorPart> of(int which, int layer, String kind) {
        long size = config.headSize();
        return List.of(
                new TensorPart(
                        STEM + "layers.%d.%s%s".formatted(layer, FUSED, kind),
                        3 * size * config.heads(),
                        which * size,
                        size,
                        3 * size,
                        false));
    }

    private static List<TensorPart> once(String name) {
        return List.of(TensorPart.whole(STEM + name));
    }

    private static List<TensorPart> in(int layer, String name) {
        return once("layers.%d.%s".formatted(layer, name));
    }
}
