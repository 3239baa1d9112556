package dev.outrider.nn.network;

import dev.outrider.nn.gguf.GgufMetadata;
import java.util.List;
import java.util.Set;

/// What GGUF files call their tensors, the same for all families.
///
/// @param config     whose matrices these are
/// @param names      of the tensors that are there
/// @param interleaved whether rows of queries and keys lie as ggml's first rotation wants them: what rotates together side by side
/// @see "llama.cpp, gguf-py/gguf/constants.py and tensor_mapping.py"
record GgufNames(DecoderConfig config, Set<String> names, boolean interleaved)
        implements WeightNaming {
    private static final String FUSED = "attn_qkv";
    private static final String BEHIND_ATTENTION = "post_attention_norm.weight";

    /// Architectures whose rows of queries and keys the converter permutes.
    private static final Set<String> INTERLEAVED = Set.of("llama", "granite", "smollm3");

    /// What the configuration was made of already.
    private static final Set<String> FACTORS =
            Set.of("rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight");

    static GgufNames of(DecoderConfig config, GgufMetadata metadata, Set<String> names) {
        var architecture = metadata.text("general.architecture").orElse("");
        return new GgufNames(config, names, INTERLEAVED.contains(architecture));
    }

    @Override
    public List<String> names(Weight weight, int layer) {
        return parts(weight, layer).stream().map(TensorPart::name).toList();
    }

    @Override
    public List<TensorPart> parts(Weight weight, int layer) {
        return switch (weight) {
            case EMBEDDING -> once("token_embd.weight");
            case POSITIONS -> once("position_embd.weight");
            case FINAL_NORM -> once("output_norm.weight");
            case FINAL_NORM_BIAS -> once("output_norm.bias");
            case HEAD -> once("output.weight");
            case INPUT_NORM -> in(layer, "attn_norm.weight");
            case INPUT_NORM_BIAS -> in(layer, "attn_norm.bias");
            case QUERY -> attention(layer, "attn_q", "weight", 0, queries());
            case KEY -> attention(layer, "attn_k", "weight", queries(), keys());
            case VALUE -> attention(layer, "attn_v", "weight", queries() + keys(), keys());
            case QUERY_BIAS -> attention(layer, "attn_q", "bias", 0, queries());
            case KEY_BIAS -> attention(layer, "attn_k", "bias", queries(), keys());
            case VALUE_BIAS -> attention(layer, "attn_v", "bias", queries() + keys(), keys());
            case QUERY_NORM -> in(layer, "attn_q_norm.weight");
            case KEY_NORM -> in(layer, "attn_k_norm.weight");
            case OUTPUT -> in(layer, "attn_output.weight");
            case OUTPUT_BIAS -> in(layer, "attn_output.bias");
            case OUTPUT_NORM -> framed() ? in(layer, BEHIND_ATTENTION) : List.of();
            case FEED_FORWARD_NORM ->
                    in(layer, secondOf(layer) ? BEHIND_ATTENTION : "ffn_norm.weight");
            case FEED_FORWARD_NORM_BIAS -> in(layer, "ffn_norm.bias");
            case GATE -> opening(layer, "ffn_gate.weight", 0);
            case UP -> opening(layer, "ffn_up.weight", config.intermediateSize());
            case GATE_BIAS -> in(layer, "ffn_gate.bias");
            case UP_BIAS -> in(layer, "ffn_up.bias");
            case DOWN -> in(layer, "ffn_down.weight");
            case DOWN_BIAS -> in(layer, "ffn_down.bias");
            case DOWN_NORM -> in(layer, "post_ffw_norm.weight");
            case SINKS -> in(layer, "attn_sinks.weight");
            case ROUTER -> in(layer, "ffn_gate_inp.weight");
            case ROUTER_BIAS -> in(layer, "ffn_gate_inp.bias");
            case EXPERT_GATE -> expert(weight, layer, "ffn_gate_exps.weight");
            case EXPERT_UP -> expert(weight, layer, "ffn_up_exps.weight");
            case EXPERT_DOWN -> expert(weight, layer, "ffn_down_exps.weight");
            case EXPERT_GATE_BIAS -> expert(weight, layer, "ffn_gate_exps.bias");
            case EXPERT_UP_BIAS -> expert(weight, layer, "ffn_up_exps.bias");
            case EXPERT_DOWN_BIAS -> expert(weight, layer, "ffn_down_exps.bias");
            default -> List.of();
        };
    }

    /// Whether results have norms.
    private boolean framed() {
        return config.form().norms().place().results();
    }

    /// Whether the norm that is called so is that of what the feed-forward layer reads, as in gpt-oss.
    private boolean secondOf(int layer) {
        return !framed() && names.contains(named(layer, BEHIND_ATTENTION));
    }

    /// One of the matrices that a tensor holds for a layer.
    private List<TensorPart> expert(Weight weight, int number, String name) {
        if (config.form().feedForward().experts().isEmpty()) {
            return List.of();
        }
        int layer = weight.layer(config, number);
        long rows = weight.shape(config, number)[0];
        return List.of(
                TensorPart.slice(named(layer, name), rows, 0, rows)
                        .asStacked(
                                config.form().feedForward().experts().get().count(),
                                number - weight.first(config, layer)));
    }

    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return FACTORS.contains(name);
    }

    private long queries() {
        return (long) config.heads() * config.headSize();
    }

    private long keys() {
        return (long) config.keyValueHeads() * config.headSize();
    }

    /// Rows of a projection of its own, or of one that all three share.
    private List<TensorPart> attention(
            int layer, String name, String kind, long first, long count) {
        boolean fused = names.contains(named(layer, FUSED + ".weight"));
        boolean turned = interleaved && !name.equals("attn_v");
        if (!fused && !turned) {
            return in(layer, "%s.%s".formatted(name, kind));
        }
        var part =
                fused
                        ? TensorPart.slice(
                                named(layer, "%s.%s".formatted(FUSED, kind)),
                                queries() + 2 * keys(),
                                first,
                                count)
                        : TensorPart.slice(
                                named(layer, "%s.%s".formatted(name, kind)), count, 0, count);
        return List.of(turned ? part.asPaired(config.headSize()) : part);
    }

    /// Rows of a projection of its own, or of one that gate and up share.
    private List<TensorPart> opening(int layer, String name, long first) {
        long inner = config.intermediateSize();
        boolean shared =
                config.form().feedForward().gated()
                        && !names.contains(named(layer, "ffn_gate.weight"));
        return shared
                ? List.of(TensorPart.slice(named(layer, "ffn_up.weight"), 2 * inner, first, inner))
                : in(layer, name);
    }

    private static List<TensorPart> once(String name) {
        return List.of(TensorPart.whole(name));
    }

    private static List<TensorPart> in(int layer, String name) {
        return once(named(layer, name));
    }

    private static String named(int layer, String name) {
        return "blk.%d.%s".formatted(layer, name);
    }
}
