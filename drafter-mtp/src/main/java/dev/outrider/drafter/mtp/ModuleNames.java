package dev.outrider.drafter.mtp;

import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import java.util.List;
import java.util.Set;

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
        boolean inLayer = weight.perLayer() && weight.compareTo(Weight.JOIN) < 0;
        var name = inLayer ? layer + WeightNaming.inLayer(weight) : ofModule(weight);
        return name.isEmpty() ? List.of() : List.of(name);
    }

    /// A checkpoint of modules holds other modules too, and often the whole model; what else a module has is refused where
    /// all of them are known.
    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return !name.startsWith(layer);
    }

    private String ofModule(Weight weight) {
        return switch (weight) {
            case EMBEDDING -> embedding;
            case HEAD -> head;
            case FINAL_NORM -> finalNorm;
            case JOIN -> join;
            case EMBEDDING_NORM -> embeddingNorm;
            case FEATURE_NORM -> featureNorm;
            default -> "";
        };
    }
}
