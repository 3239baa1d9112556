package dev.outrider.nn.network;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What checkpoints of gpt-oss call the tensors of experts, which hold those of a whole layer: `[experts, inputs, outputs]`, or as blocks
/// `[experts, outputs, inputs]`. Gate and up lie interleaved. All other weights have Llama's names.
///
/// @param config whose experts these are
/// @param names  of the tensors that are there
/// @param others names of all other weights
/// @see "OpenAI 2025 (gpt-oss)"
record FusedExpertNames(DecoderConfig config, Collection<String> names, WeightNames others)
        implements WeightNaming {
    private static final String OPENING = "gate_up_proj";
    private static final String DOWN = "down_proj";
    private static final String BIAS = "_bias";

    static Optional<WeightNaming> in(DecoderConfig config, Collection<String> names) {
        return config.form().feedForward().experts().filter(Experts::biases).isPresent()
                ? Optional.of(new FusedExpertNames(config, names, WeightNames.in(config, names)))
                : Optional.empty();
    }

    @Override
    public List<String> names(Weight weight, int number) {
        return parts(weight, number).stream().map(TensorPart::name).toList();
    }

    @Override
    public List<TensorPart> parts(Weight weight, int number) {
        return switch (weight) {
            case SINKS -> in(number, "self_attn.sinks");
            case ROUTER -> in(number, "mlp.router.weight");
            case ROUTER_BIAS -> in(number, "mlp.router.bias");
            case EXPERT_GATE -> expert(weight, number, OPENING, 0, 2);
            case EXPERT_UP -> expert(weight, number, OPENING, 1, 2);
            case EXPERT_DOWN -> expert(weight, number, DOWN, 0, 1);
            case EXPERT_GATE_BIAS -> expert(weight, number, OPENING + BIAS, 0, 2);
            case EXPERT_UP_BIAS -> expert(weight, number, OPENING + BIAS, 1, 2);
            case EXPERT_DOWN_BIAS -> expert(weight, number, DOWN + BIAS, 0, 1);
            default -> others.parts(weight, number);
        };
    }

    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return others.mayStayUnread(name, all);
    }

    /// @param first  row of the expert's matrix that is the weight's first
    /// @param stride from one of its rows to the next
    private List<TensorPart> expert(
            Weight weight, int number, String name, long first, int stride) {
        int layer = weight.layer(config, number);
        var tensor = named(layer, "mlp.experts." + name);
        long rows = weight.shape(config, number)[0] * stride;
        var part = new TensorPart(tensor, rows, first, 1, stride, false);
        boolean blocks = names.contains(tensor + "_blocks") || names.contains(tensor + "_scales");
        var lying = blocks ? part : part.asTransposed();
        int count = config.form().feedForward().experts().orElseThrow().count();
        return List.of(lying.asStacked(count, number - weight.first(config, layer)));
    }

    private List<TensorPart> in(int layer, String name) {
        return List.of(TensorPart.whole(named(layer, name)));
    }

    private String named(int layer, String name) {
        return "%slayers.%d.%s".formatted(others.decoder(), layer, name);
    }
}
