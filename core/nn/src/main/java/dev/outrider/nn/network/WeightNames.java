package dev.outrider.nn.network;

import dev.outrider.nn.network.BlockForm.NormPlace;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What checkpoints of the Llama family call their tensors, and those of families that took its names over.
///
/// @param decoder what the names of the decoder's tensors begin with
/// @param head    name of the language-model head
/// @param place   where blocks have their norms, which have other names then
/// @param gated   whether the feed-forward layer has a gate
record WeightNames(String decoder, String head, NormPlace place, boolean gated)
        implements WeightNaming {
    private static final String HEAD = "lm_head.weight";
    private static final String ANGLES = "rotary_emb.inv_freq";

    /// What a layer has that is such a module.
    private static final String MODULE = "eh_proj.weight";

    /// What draft layers and other families have.
    private static final Set<Weight> ELSEWHERE = EnumSet.range(Weight.JOIN, Weight.SINKS);

    /// What families beside Llama have under names of its kind.
    private static final Set<Weight> NORMS =
            EnumSet.of(
                    Weight.INPUT_NORM_BIAS,
                    Weight.FEED_FORWARD_NORM_BIAS,
                    Weight.FINAL_NORM_BIAS,
                    Weight.OUTPUT_NORM,
                    Weight.DOWN_NORM);

    private static final WeightNames USUAL = spelling("model.", HEAD);

    /// Models that also see or hear keep their decoder one level down; bare decoders have no level at all.
    private static final List<WeightNames> KNOWN =
            List.of(
                    USUAL,
                    spelling("model.language_model.", HEAD),
                    spelling("language_model.model.", "language_model." + HEAD),
                    spelling("", HEAD));

    static WeightNames spelling(String decoder, String head) {
        return new WeightNames(decoder, head, NormPlace.BEFORE, true);
    }

    /// The spelling used among `names`, for a decoder's form.
    static WeightNames in(DecoderConfig config, Collection<String> names) {
        var spelling = in(names);
        return new WeightNames(
                spelling.decoder,
                spelling.head,
                config.form().norms().place(),
                config.form().feedForward().gated());
    }

    /// The spelling used among `names`; the usual one if none is recognised.
    static WeightNames in(Collection<String> names) {
        return KNOWN.stream()
                .filter(spelling -> names.contains(spelling.of(Weight.EMBEDDING, 0)))
                .findFirst()
                .orElse(USUAL);
    }

    @Override
    public List<String> names(Weight weight, int layer) {
        boolean here = !ELSEWHERE.contains(weight) || NORMS.contains(weight) && named(weight);
        return here ? List.of(of(weight, layer)) : List.of();
    }

    /// Angles that older files keep; a head beside a tied embedding, which is then read in its place; modules that predict
    /// further tokens, which are drafters; and all that lies outside the decoder, such as the part that sees.
    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        boolean ofDecoder = name.startsWith(decoder) || name.startsWith(stem(head));
        return !ofDecoder
                || name.equals(head)
                || name.endsWith(ANGLES)
                || name.startsWith(decoder + "mtp_layers.")
                || name.startsWith("mtp.")
                || name.startsWith("mtp_layers.")
                || all.contains(layerOf(name) + MODULE);
    }

    /// What the names of a layer's tensors begin with: `…layers.7.` of any of them.
    private String layerOf(String name) {
        int number = (decoder + "layers.").length();
        int end = name.startsWith(decoder + "layers.") ? name.indexOf('.', number) : -1;
        return name.substring(0, end + 1);
    }

    private static String stem(String tensor) {
        return tensor.substring(0, tensor.lastIndexOf('.') + 1);
    }

    /// The name of a weight.
    ///
    /// @param layer counts from 0; 0 for weights that are not per layer
    /// @throws IllegalArgumentException if only draft layers have such a weight
    String of(Weight weight, int layer) {
        if (weight.perLayer()) {
            return "%slayers.%d.%s".formatted(decoder, layer, inLayer(weight));
        }
        if (weight == Weight.FINAL_NORM_BIAS) {
            return decoder + "norm.bias";
        }
        if (weight == Weight.HEAD) {
            return head;
        }
        if (weight == Weight.EMBEDDING) {
            return decoder + "embed_tokens.weight";
        }
        if (weight == Weight.FINAL_NORM) {
            return decoder + "norm.weight";
        }
        throw new IllegalArgumentException(weight + " has no name in a decoder");
    }

    /// Whether the name is this weight's and no other one's.
    private boolean named(Weight weight) {
        return switch (weight) {
            case OUTPUT_NORM, DOWN_NORM -> place.results();
            case FEED_FORWARD_NORM_BIAS -> place == NormPlace.BEFORE;
            default -> true;
        };
    }

    /// Norms of results are called by what comes before them, and take the name that Llama gives to the feed-forward layer's.
    private String inLayer(Weight weight) {
        return switch (weight) {
            case OUTPUT_NORM -> "post_attention_layernorm.weight";
            case DOWN_NORM -> "post_feedforward_layernorm.weight";
            case FEED_FORWARD_NORM ->
                    place == NormPlace.BEFORE
                            ? WeightNaming.inLayer(weight)
                            : "pre_feedforward_layernorm.weight";
            case INPUT_NORM_BIAS -> "input_layernorm.bias";
            case FEED_FORWARD_NORM_BIAS -> "post_attention_layernorm.bias";
            case UP -> gated ? WeightNaming.inLayer(weight) : "mlp.c_fc.weight";
            case UP_BIAS -> gated ? WeightNaming.inLayer(weight) : "mlp.c_fc.bias";
            case DOWN -> gated ? WeightNaming.inLayer(weight) : "mlp.c_proj.weight";
            case DOWN_BIAS -> gated ? WeightNaming.inLayer(weight) : "mlp.c_proj.bias";
            default -> WeightNaming.inLayer(weight);
        };
    }
}
