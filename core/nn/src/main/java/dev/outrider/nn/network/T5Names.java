package dev.outrider.nn.network;

import java.util.List;
import java.util.Set;

/// What checkpoints of T5 call their tensors.
///
/// @param part  encoder or decoder
/// @param gated whether the feed-forward layer has a gate, which changes the name of what it opens
record T5Names(Part part, boolean gated) implements WeightNaming {
    private static final String WIDE = "DenseReluDense.wi";

    @Override
    public List<String> names(Weight weight, int layer) {
        return switch (weight) {
            case EMBEDDING -> List.of("shared.weight");
            case HEAD -> List.of("lm_head.weight");
            case FINAL_NORM -> List.of(stack() + "final_layer_norm.weight");
            case RELATIVE_BIAS ->
                    List.of(
                            stack()
                                    + "block.0.layer.0.SelfAttention.relative_attention_bias.weight");
            case INPUT_NORM -> in(layer, 0, "layer_norm.weight");
            case QUERY -> in(layer, 0, "SelfAttention.q.weight");
            case KEY -> in(layer, 0, "SelfAttention.k.weight");
            case VALUE -> in(layer, 0, "SelfAttention.v.weight");
            case OUTPUT -> in(layer, 0, "SelfAttention.o.weight");
            case CROSS_NORM -> ofSource(layer, "layer_norm.weight");
            case CROSS_QUERY -> ofSource(layer, "EncDecAttention.q.weight");
            case CROSS_KEY -> ofSource(layer, "EncDecAttention.k.weight");
            case CROSS_VALUE -> ofSource(layer, "EncDecAttention.v.weight");
            case CROSS_OUTPUT -> ofSource(layer, "EncDecAttention.o.weight");
            case FEED_FORWARD_NORM -> in(layer, last(), "layer_norm.weight");
            case GATE -> in(layer, last(), WIDE + "_0.weight");
            case UP -> in(layer, last(), gated ? WIDE + "_1.weight" : WIDE + ".weight");
            case DOWN -> in(layer, last(), "DenseReluDense.wo.weight");
            default -> List.of();
        };
    }

    /// The other stack; copies of the embedding under the stacks' own names; a head beside a tied embedding; and a bias that early
    /// files have in the attention to the source, which never was added.
    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return name.startsWith(part == Part.ENCODER ? "decoder." : "encoder.")
                || name.endsWith(".embed_tokens.weight")
                || name.endsWith("EncDecAttention.relative_attention_bias.weight")
                || name.equals("lm_head.weight")
                || part == Part.ENCODER && name.equals("shared.weight");
    }

    private String stack() {
        return part == Part.ENCODER ? "encoder." : "decoder.";
    }

    private int last() {
        return part == Part.ENCODER ? 1 : 2;
    }

    private List<String> ofSource(int layer, String name) {
        return part == Part.ENCODER ? List.of() : in(layer, 1, name);
    }

    private List<String> in(int layer, int block, String name) {
        return List.of("%sblock.%d.layer.%d.%s".formatted(stack(), layer, block, name));
    }
}
