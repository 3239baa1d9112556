package dev.outrider.drafter.block;

import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What checkpoints of block drafters call their tensors.
///
/// @param heads what the tensors of the heads beside the backbone begin with: nothing, or `logit_head.` in SpecForge's earlier files
record BlockNames(String heads) implements WeightNaming {
    private static final String MARKOV = "markov_head.";

    private static final Set<Weight> IN_LAYER =
            EnumSet.of(
                    Weight.INPUT_NORM,
                    Weight.QUERY,
                    Weight.KEY,
                    Weight.VALUE,
                    Weight.QUERY_BIAS,
                    Weight.KEY_BIAS,
                    Weight.VALUE_BIAS,
                    Weight.QUERY_NORM,
                    Weight.KEY_NORM,
                    Weight.OUTPUT,
                    Weight.OUTPUT_BIAS,
                    Weight.FEED_FORWARD_NORM,
                    Weight.GATE,
                    Weight.UP,
                    Weight.DOWN);

    @Override
    public List<String> names(Weight weight, int layer) {
        if (IN_LAYER.contains(weight)) {
            return List.of("layers.%d.%s".formatted(layer, WeightNaming.inLayer(weight)));
        }
        return switch (weight) {
            case EMBEDDING -> List.of("embed_tokens.weight");
            case HEAD -> List.of("lm_head.weight");
            case FINAL_NORM -> List.of("norm.weight");
            case REDUCTION -> List.of("fc.weight");
            case FEATURE_NORM -> List.of("hidden_norm.weight");
            default -> List.of();
        };
    }

    /// A tensor of the Markov head.
    String markov(String tensor) {
        return heads + MARKOV + tensor;
    }

    /// A tensor of the confidence head.
    String confidence(String tensor) {
        return heads + "confidence_head.proj." + tensor;
    }

    /// Maps of vocabularies, which are read on their own; the target's own tensors, which training writes along; angles that older
    /// files keep.
    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return VocabularyMaps.NAMES.contains(name)
                || name.startsWith("verifier_")
                || name.endsWith("rotary_emb.inv_freq");
    }
}
