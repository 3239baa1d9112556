package dev.outrider.nn.architecture;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.BlockForm.BoundedGate;
import dev.outrider.nn.network.BlockForm.FeedForward;
import dev.outrider.nn.network.BlockForm.LayerKind;
import dev.outrider.nn.network.BlockForm.NormKind;
import dev.outrider.nn.network.BlockForm.NormPlace;
import dev.outrider.nn.network.BlockForm.Norms;
import dev.outrider.nn.network.BlockForm.Scales;
import dev.outrider.nn.network.BlockForm.Scores;
import dev.outrider.nn.network.Experts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/// Reads the block form of families with Llama's keys.
///
/// @param root   of the configuration
/// @param family the family
record FormReader(ConfigNode root, Family family) {
    static final String LAYER_TYPES = "layer_types";

    /// @param layers     number of layers
    /// @param hiddenSize width of the residual stream
    BlockForm read(int layers, int hiddenSize) {
        return switch (family) {
            case LLAMA, MISTRAL, QWEN2, QWEN3, MIMO, PHI3 -> {
                requireActivation(List.of("silu", "swish"));
                yield BlockForm.llama();
            }
            case MIXTRAL, QWEN2_MOE, QWEN3_MOE -> {
                requireActivation(List.of("silu"));
                yield BlockForm.mixture(new ExpertsReader(root, family).read());
            }
            case GPT_OSS -> {
                requireActivation(List.of("silu"));
                var gate =
                        new BoundedGate(root.number("swiglu_alpha"), root.number("swiglu_limit"));
                yield BlockForm.llama()
                        .with(
                                new FeedForward(
                                        Activation.SILU,
                                        true,
                                        Optional.of(gate),
                                        Optional.of(new ExpertsReader(root, family).read())))
                        .with(new Scores(OptionalDouble.empty(), OptionalDouble.empty(), true))
                        .withKinds(kinds(layers, 2));
            }
            case GRANITE -> granite();
            case OLMO2 -> {
                requireActivation(List.of("silu"));
                yield BlockForm.llama()
                        .with(new Norms(NormKind.RMS, NormPlace.RESULT, false, false, true, true));
            }
            case SMOLLM3 -> {
                requireActivation(List.of("silu"));
                refuseTrue("use_sliding_window", "layers that see everything before");
                yield BlockForm.llama().withKinds(unrotated(layers));
            }
            case STARCODER2 -> {
                requireActivation(List.of("gelu_pytorch_tanh", "gelu_new"));
                yield BlockForm.llama()
                        .with(new Norms(NormKind.LAYER, NormPlace.BEFORE))
                        .with(new FeedForward(Activation.GELU_TANH, false));
            }
            case GEMMA -> gemma(hiddenSize, NormPlace.BEFORE, OptionalDouble.empty());
            case GEMMA2 -> windowedGemma(hiddenSize, kinds(layers, 2));
            case GEMMA3 ->
                    windowedGemma(
                            hiddenSize, kinds(layers, root.positive("sliding_window_pattern")));
            case T5, MT5, BART, MARIAN, GPT_NEOX, GPT2, OPT ->
                    throw new IllegalArgumentException(family + " has keys of its own");
        };
    }

    private BlockForm granite() {
        requireActivation(List.of("silu"));
        var scale = OptionalDouble.of(root.number("attention_multiplier", 1));
        return BlockForm.llama()
                .with(new Scores(scale, OptionalDouble.empty(), false))
                .with(
                        new Scales(
                                root.number("embedding_multiplier", 1),
                                root.number("residual_multiplier", 1),
                                1 / root.number("logits_scaling", 1),
                                false,
                                OptionalDouble.empty()));
    }

    private BlockForm windowedGemma(int hiddenSize, List<LayerKind> kinds) {
        var scale = OptionalDouble.of(1 / Math.sqrt(root.number("query_pre_attn_scalar")));
        return gemma(hiddenSize, NormPlace.AROUND, cap("final_logit_softcapping"))
                .with(new Scores(scale, cap("attn_logit_softcapping"), false))
                .withKinds(kinds);
    }

    /// The first Gemma's configuration has `gelu`, but means the approximation.
    private BlockForm gemma(int hiddenSize, NormPlace place, OptionalDouble logitCap) {
        var activation =
                root.text("hidden_activation", root.text("hidden_act", "gelu_pytorch_tanh"));
        if (!List.of("gelu", "gelu_pytorch_tanh").contains(activation)) {
            throw root.unsupported(
                    "hidden_activation '%s'".formatted(activation), "gelu_pytorch_tanh");
        }
        refuseTrue("use_bidirectional_attention", "rows that see those before them");
        return BlockForm.llama()
                .with(new Norms(NormKind.RMS, place, true, false, true, false))
                .with(new FeedForward(Activation.GELU_TANH, true))
                .with(new Scales(Math.sqrt(hiddenSize), 1, 1, false, logitCap));
    }

    private OptionalDouble cap(String key) {
        return root.has(key) ? OptionalDouble.of(root.number(key)) : OptionalDouble.empty();
    }

    private void refuseTrue(String key, String expected) {
        if (root.truth(key, false)) {
            throw root.unsupported("%s = true".formatted(key), expected);
        }
    }

    private void requireActivation(List<String> known) {
        var activation = root.text("hidden_act", known.getFirst());
        if (!known.contains(activation)) {
            throw root.unsupported(
                    "hidden_act '%s'".formatted(activation), String.join(" or ", known));
        }
    }

    /// Returns the kind of each layer, with a window or without; newer files list the kinds.
    ///
    /// @param interval distance of layers without a window
    List<LayerKind> kinds(int layers, int interval) {
        var types = root.texts(LAYER_TYPES);
        if (!types.isEmpty() && types.size() != layers) {
            throw root.invalid(
                    "has %d %s for %d layers".formatted(types.size(), LAYER_TYPES, layers));
        }
        var kinds = new ArrayList<LayerKind>();
        for (int layer = 0; layer < layers; layer++) {
            var type =
                    types.isEmpty()
                            ? (layer + 1) % interval == 0 ? "full_attention" : "sliding_attention"
                            : types.get(layer);
            kinds.add(
                    switch (type) {
                        case "full_attention" -> LayerKind.GLOBAL;
                        case "sliding_attention" -> LayerKind.LOCAL;
                        default ->
                                throw root.unsupported(
                                        "a layer of type '%s'".formatted(type),
                                        "full_attention and sliding_attention");
                    });
        }
        return kinds;
    }

    /// Returns the layers that do not rotate: from the list, otherwise every fourth.
    private List<LayerKind> unrotated(int layers) {
        var kinds = new ArrayList<LayerKind>();
        int interval = root.positive("no_rope_layer_interval", 4);
        var list = root.node().path("no_rope_layers");
        if (list.isArray() && list.size() != layers) {
            throw root.invalid(
                    "has %d no_rope_layers for %d layers".formatted(list.size(), layers));
        }
        for (int layer = 0; layer < layers; layer++) {
            boolean rotates =
                    list.isArray() ? list.path(layer).asInt() != 0 : (layer + 1) % interval != 0;
            kinds.add(rotates ? LayerKind.GLOBAL : LayerKind.UNROTATED);
        }
        return kinds;
    }

    /// Reads a family's experts.
    ///
    /// @param root   of the configuration
    /// @param family the family
    record ExpertsReader(ConfigNode root, Family family) {
        private static final String CHOSEN = "num_experts_per_tok";

        /// @throws IllegalArgumentException if the family has none
        Experts read() {
            return switch (family) {
                case MIXTRAL ->
                        new Experts(
                                root.positive("num_local_experts"),
                                root.positive(CHOSEN),
                                root.positive("intermediate_size"));
                case GPT_OSS ->
                        new Experts(
                                root.positive("num_local_experts"),
                                root.positive(CHOSEN),
                                root.positive("intermediate_size"),
                                true,
                                true,
                                OptionalInt.empty(),
                                1,
                                Set.of());
                case QWEN2_MOE ->
                        qwen(OptionalInt.of(root.positive("shared_expert_intermediate_size")));
                case QWEN3_MOE -> qwen(OptionalInt.empty());
                default -> throw new IllegalArgumentException(family + " has no experts");
            };
        }

        private Experts qwen(OptionalInt shared) {
            return new Experts(
                    root.positive("num_experts"),
                    root.positive(CHOSEN),
                    root.positive("moe_intermediate_size"),
                    root.truth("norm_topk_prob", false),
                    false,
                    shared,
                    root.positive("decoder_sparse_step", 1),
                    Set.copyOf(root.ids("mlp_only_layers")));
        }
    }

    /// Names of activation functions in configurations.
    static final class Activations {
        private Activations() {}

        static Activation named(ConfigNode root, String key, String otherwise) {
            var name = root.text(key, otherwise);
            return switch (name) {
                case "gelu" -> Activation.GELU;
                case "gelu_new", "gelu_fast", "gelu_pytorch_tanh" -> Activation.GELU_TANH;
                case "relu" -> Activation.RELU;
                case "silu", "swish" -> Activation.SILU;
                default ->
                        throw root.unsupported(
                                "%s '%s'".formatted(key, name), "gelu, gelu_new, relu and silu");
            };
        }
    }
}
