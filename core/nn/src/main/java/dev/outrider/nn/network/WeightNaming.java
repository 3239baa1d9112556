package dev.outrider.nn.network;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/// What a checkpoint calls the weights of a decoder.
public interface WeightNaming {
    /// The tensors a weight is made of, stacked along their first dimension; all have the same shape. Empty for
    /// a weight that the layout has no name for.
    ///
    /// @param number of the layer or the expert, from 0; 0 for weights that are not per layer
    List<String> names(Weight weight, int number);

    /// Where a weight lies in tensors that it may share with others.
    ///
    /// @param number of the layer or the expert, from 0; 0 for weights that are not per layer
    default List<TensorPart> parts(Weight weight, int number) {
        return names(weight, number).stream().map(TensorPart::whole).toList();
    }

    /// Whether a tensor that no weight is made of may be left out without a change of results.
    ///
    /// @param name any tensor of the checkpoint
    /// @param all  all of them
    boolean mayStayUnread(String name, Set<String> all);

    /// What a model's layout calls its weights.
    ///
    /// @param config of the part that is read
    /// @param names  of the tensors that are there
    static WeightNaming of(DecoderConfig config, Collection<String> names) {
        if (config.part() != Part.DECODER) {
            return config.form().norms().kind() == BlockForm.NormKind.LAYER
                    ? new BartNames(config.part())
                    : new T5Names(config.part(), config.form().feedForward().gated());
        }
        if (config.form().positions() instanceof Positions.Learned) {
            return Gpt2Names.in(config, names)
                    .or(() -> OptNames.in(config, names))
                    .orElseGet(() -> new OptNames("model.decoder."));
        }
        return NeoxNames.in(config, names)
                .or(() -> FusedExpertNames.in(config, names))
                .or(() -> ExpertNames.in(config, names))
                .or(() -> PhiNames.in(config, names))
                .orElseGet(() -> WeightNames.in(config, names));
    }

    /// What layers of the Llama family call a weight, after the layer's own name.
    ///
    /// @throws IllegalArgumentException if their layers have no such weight
    static String inLayer(Weight weight) {
        return switch (weight) {
            case INPUT_NORM -> "input_layernorm.weight";
            case QUERY -> "self_attn.q_proj.weight";
            case KEY -> "self_attn.k_proj.weight";
            case VALUE -> "self_attn.v_proj.weight";
            case QUERY_BIAS -> "self_attn.q_proj.bias";
            case KEY_BIAS -> "self_attn.k_proj.bias";
            case VALUE_BIAS -> "self_attn.v_proj.bias";
            case QUERY_NORM -> "self_attn.q_norm.weight";
            case KEY_NORM -> "self_attn.k_norm.weight";
            case OUTPUT -> "self_attn.o_proj.weight";
            case OUTPUT_BIAS -> "self_attn.o_proj.bias";
            case FEED_FORWARD_NORM -> "post_attention_layernorm.weight";
            case GATE -> "mlp.gate_proj.weight";
            case UP -> "mlp.up_proj.weight";
            case DOWN -> "mlp.down_proj.weight";
            case GATE_BIAS -> "mlp.gate_proj.bias";
            case UP_BIAS -> "mlp.up_proj.bias";
            case DOWN_BIAS -> "mlp.down_proj.bias";
            default -> throw new IllegalArgumentException(weight + " has no name in a plain layer");
        };
    }
}
