package dev.outrider.nn.network;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What checkpoints of GPT-2 call their tensors, whose matrices have inputs for rows.
///
/// @param config whose matrices these are
/// @param stem   what names begin with
/// @see "Radford et al. 2019"
record Gpt2Names(DecoderConfig config, String stem) implements WeightNaming {
    static Optional<WeightNaming> in(DecoderConfig config, Collection<String> names) {
        return Stream.of("", "transformer.")
                .filter(stem -> names.stream().anyMatch(name -> name.startsWith(stem + "h.0.")))
                .<WeightNaming>map(stem -> new Gpt2Names(config, stem))
                .findFirst();
    }

    @Override
    public List<String> names(Weight weight, int layer) {
        return parts(weight, layer).stream().map(TensorPart::name).toList();
    }

    @Override
    public List<TensorPart> parts(Weight weight, int layer) {
        long size = config.hiddenSize();
        long inner = config.intermediateSize();
        return switch (weight) {
            case EMBEDDING -> once("wte.weight");
            case POSITIONS -> once("wpe.weight");
            case HEAD -> List.of(TensorPart.whole("lm_head.weight"));
            case FINAL_NORM -> once("ln_f.weight");
            case FINAL_NORM_BIAS -> once("ln_f.bias");
            case INPUT_NORM -> in(layer, "ln_1.weight");
            case INPUT_NORM_BIAS -> in(layer, "ln_1.bias");
            case FEED_FORWARD_NORM -> in(layer, "ln_2.weight");
            case FEED_FORWARD_NORM_BIAS -> in(layer, "ln_2.bias");
            case QUERY -> matrix(layer, "attn.c_attn", 3 * size, 0, size);
            case KEY -> matrix(layer, "attn.c_attn", 3 * size, size, size);
            case VALUE -> matrix(layer, "attn.c_attn", 3 * size, 2 * size, size);
            case QUERY_BIAS -> bias(layer, 0);
            case KEY_BIAS -> bias(layer, size);
            case VALUE_BIAS -> bias(layer, 2 * size);
            case OUTPUT -> matrix(layer, "attn.c_proj", size, 0, size);
            case OUTPUT_BIAS -> in(layer, "attn.c_proj.bias");
            case UP -> matrix(layer, "mlp.c_fc", inner, 0, inner);
            case UP_BIAS -> in(layer, "mlp.c_fc.bias");
            case DOWN -> matrix(layer, "mlp.c_proj", size, 0, size);
            case DOWN_BIAS -> in(layer, "mlp.c_proj.bias");
            default -> List.of();
        };
    }

    /// Masks that older files keep, and a head beside a tied embedding.
    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return name.endsWith("attn.bias")
                || name.endsWith("attn.masked_bias")
                || name.equals("lm_head.weight");
    }

    private List<TensorPart> matrix(int layer, String name, long rows, long first, long count) {
        return List.of(
                TensorPart.slice(named(layer, name + ".weight"), rows, first, count)
                        .asTransposed());
    }

    private List<TensorPart> bias(int layer, long first) {
        long size = config.hiddenSize();
        return List.of(TensorPart.slice(named(layer, "attn.c_attn.bias"), 3 * size, first, size));
    }

    private List<TensorPart> once(String name) {
        return List.of(TensorPart.whole(stem + name));
    }

    private List<TensorPart> in(int layer, String name) {
        return List.of(TensorPart.whole(named(layer, name)));
    }

    private String named(int layer, String name) {
        return "%sh.%d.%s".formatted(stem, layer, name);
    }
}
