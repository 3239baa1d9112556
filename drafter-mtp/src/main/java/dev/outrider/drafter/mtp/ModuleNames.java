package dev.outrider.drafter.mtp;

import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import java.util.List;

/// What a layout calls the weights of one module.
///
/// @param join          projection of the joined halves, `[h, 2h]`
/// @param embeddingNorm norm of the embedding before it
/// @param featureNorm   norm of the hidden state before it
/// @param finalNorm     norm after the layer
/// @param embedding     an embedding of the module's own; empty where the layout has none
/// @param head          a head of its own; empty where the layout has none
/// @param layer         what the names of the decoder layer's weights begin with
record ModuleNames(
        String join,
        String embeddingNorm,
        String featureNorm,
        String finalNorm,
        String embedding,
        String head,
        String layer)
        implements WeightNaming {
    @Override
    public List<String> names(Weight weight, int ofLayer) {
        var name =
                switch (weight) {
                    case EMBEDDING -> embedding;
                    case HEAD -> head;
                    case FINAL_NORM -> finalNorm;
                    case JOIN -> join;
                    case EMBEDDING_NORM -> embeddingNorm;
                    case FEATURE_NORM -> featureNorm;
                    case JOIN_BIAS, REDUCTION, CAPTURED_NORM, STREAM_NORM -> "";
                    case INPUT_NORM,
                            QUERY,
                            KEY,
                            VALUE,
                            QUERY_BIAS,
                            KEY_BIAS,
                            VALUE_BIAS,
                            QUERY_NORM,
                            KEY_NORM,
                            OUTPUT,
                            OUTPUT_BIAS,
                            FEED_FORWARD_NORM,
                            GATE,
                            UP,
                            DOWN,
                            GATE_BIAS,
                            UP_BIAS,
                            DOWN_BIAS ->
                            layer + WeightNaming.inLayer(weight);
                };
        return name.isEmpty() ? List.of() : List.of(name);
    }
}
