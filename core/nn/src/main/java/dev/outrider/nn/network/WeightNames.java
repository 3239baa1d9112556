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
    private static final String ANGLES = "rotary_emb.inv_freq";

    /// What a layer has that is such a module.
    private static final String MODULE = "eh_proj.weight";

    /// What draft layers and other families have.
    private static final Set<Weight> ELSEWHERE = EnumSet.range(Weight.JOIN, Weight.HEAD_BIAS);

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
        return ELSEWHERE.contains(weight) ? List.of() : List.of(of(weight, layer));
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
            return "%slayers.%d.%s".formatted(decoder, layer, WeightNaming.inLayer(weight));
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
}
