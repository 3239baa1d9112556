package dev.outrider.nn.network;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What checkpoints of Phi-3 and Phi-4 call their tensors: Llama's names, but for projections that share a matrix.
///
/// @param config whose matrices these are
/// @param others names of all other weights
/// @see "Abdin et al. 2024 (Phi-3)"
record PhiNames(DecoderConfig config, WeightNames others) implements WeightNaming {
    /// The module, however its weight is kept.
    private static final String PROJECTION = "self_attn.qkv_proj.";

    private static final String FUSED = PROJECTION + "weight";
    private static final String OPENING = "mlp.gate_up_proj.weight";

    static Optional<WeightNaming> in(DecoderConfig config, Collection<String> names) {
        return names.stream().anyMatch(name -> name.contains(PROJECTION))
                ? Optional.of(new PhiNames(config, WeightNames.in(config, names)))
                : Optional.empty();
    }

    @Override
    public List<String> names(Weight weight, int layer) {
        return parts(weight, layer).stream().map(TensorPart::name).toList();
    }

    @Override
    public List<TensorPart> parts(Weight weight, int layer) {
        long queries = (long) config.heads() * config.headSize();
        long keys = (long) config.keyValueHeads() * config.headSize();
        long inner = config.intermediateSize();
        return switch (weight) {
            case QUERY -> rows(layer, FUSED, queries + 2 * keys, 0, queries);
            case KEY -> rows(layer, FUSED, queries + 2 * keys, queries, keys);
            case VALUE -> rows(layer, FUSED, queries + 2 * keys, queries + keys, keys);
            case GATE -> rows(layer, OPENING, 2 * inner, 0, inner);
            case UP -> rows(layer, OPENING, 2 * inner, inner, inner);
            default -> others.parts(weight, layer);
        };
    }

    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return others.mayStayUnread(name, all);
    }

    private List<TensorPart> rows(int layer, String name, long rows, long first, long count) {
        return List.of(TensorPart.slice(named(others, layer, name), rows, first, count));
    }

    private static String named(WeightNames others, int layer, String name) {
        return "%slayers.%d.%s".formatted(others.decoder(), layer, name);
    }
}
