package dev.outrider.nn.architecture;

import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.DecoderConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Reads a Hugging Face `config.json`. What the network cannot run is refused by name, never ignored.
final class ModelConfigReader {
    private static final Map<String, TensorType> STORAGE =
            Map.of(
                    "float32", TensorType.F32,
                    "bfloat16", TensorType.BF16,
                    "float16", TensorType.F16);

    /// Keys of parts the network does not have, unless they are absent, 0 or false.
    private static final Map<String, String> FOREIGN =
            Map.of(
                    "num_local_experts", "a mixture of experts",
                    "num_experts", "a mixture of experts",
                    "n_routed_experts", "a mixture of experts",
                    "kv_lora_rank", "latent attention");

    private final ConfigNode file;
    private final ConfigNode root;
    private final Family family;

    ModelConfigReader(ConfigNode file) {
        this.file = file;
        root = textPart(file);
        var type = root.text("model_type", "(none)");
        family =
                Family.named(type)
                        .orElseThrow(() ->
                                root.unsupported(
                                        "model_type '%s'".formatted(type),
                                        String.join(", ", Family.names())));
    }

    /// Models that also see or hear keep the decoder's configuration in a part of its own.
    private static ConfigNode textPart(ConfigNode file) {
        var part = file.object("text_config");
        boolean known = Family.named(file.text("model_type", "")).isPresent();
        return !known && part.isPresent() ? part.get() : file;
    }

    ModelConfig read() {
        refuseForeignParts();
        var stacks =
                switch (family) {
                    case T5, MT5 -> T5Reader.read(root, family);
                    case BART, MARIAN -> BartReader.read(root, family);
                    case LLAMA, MISTRAL, QWEN2, QWEN3, MIMO ->
                            new Stacks(decoder(), Optional.empty());
                };
        return new ModelConfig(
                family,
                stacks.decoder(),
                root.ids("bos_token_id"),
                root.ids("eos_token_id"),
                storage(),
                QuantisationConfig.read(file).or(() -> QuantisationConfig.read(root)),
                stacks.encoder());
    }

    private void refuseForeignParts() {
        FOREIGN.keySet().stream()
                .sorted()
                .filter(this::isUsed)
                .findFirst()
                .ifPresent(key -> {
                    throw root.unsupported(
                            "%s (%s)".formatted(FOREIGN.get(key), root.prefix() + key),
                            "dense decoders with plain weights");
                });
        var activation = root.text("hidden_act", "silu");
        if (!activation.equals("silu") && !activation.equals("swish")) {
            throw root.unsupported("hidden_act '%s'".formatted(activation), "silu");
        }
    }

    private boolean isUsed(String key) {
        var value = root.node().path(key);
        return root.has(key) && !(value.isNumber() && value.doubleValue() == 0);
    }

    private DecoderConfig decoder() {
        int hidden = root.positive("hidden_size");
        int heads = root.positive("num_attention_heads");
        int layers = root.positive("num_hidden_layers");
        int positions = root.positive("max_position_embeddings", family.defaultPositions());
        var rope = RopeReader.read(root, positions);
        var window = window(layers);
        try {
            return DecoderConfig.builder()
                    .vocabularySize(root.positive("vocab_size"))
                    .hiddenSize(hidden)
                    .intermediateSize(root.positive("intermediate_size"))
                    .layers(layers)
                    .heads(heads)
                    .keyValueHeads(root.positive("num_key_value_heads", heads))
                    .headSize(headSize(hidden, heads))
                    .maxPositions(positions)
                    .normEpsilon(root.number("rms_norm_eps", 1e-6))
                    .tiedHead(root.truth("tie_word_embeddings", false))
                    .queryKeyValueBias(queryKeyValueBias())
                    .outputBias(outputBias())
                    .feedForwardBias(family == Family.LLAMA && root.truth("mlp_bias", false))
                    .queryKeyNorm(family == Family.QWEN3)
                    .slidingWindow(window.size())
                    .firstWindowLayer(window.firstLayer())
                    .ropeTheta(rope.theta())
                    .ropeScaling(rope.scaling())
                    .build();
        } catch (IllegalArgumentException e) {
            throw root.invalid("describes no decoder: " + e.getMessage());
        }
    }

    private int headSize(int hidden, int heads) {
        if (root.has("head_dim")) {
            return root.positive("head_dim");
        }
        if (family == Family.QWEN3) {
            return 128;
        }
        if (hidden % heads != 0) {
            throw root.invalid(
                    "has no head_dim, and hidden_size %d is not divisible by %d heads"
                            .formatted(hidden, heads));
        }
        return hidden / heads;
    }

    private boolean queryKeyValueBias() {
        return switch (family) {
            case LLAMA, QWEN3 -> root.truth("attention_bias", false);
            case QWEN2 -> true;
            case MIMO -> root.truth("attention_bias", true);
            case MISTRAL, T5, MT5, BART, MARIAN -> false;
        };
    }

    private boolean outputBias() {
        return switch (family) {
            case LLAMA, QWEN3 -> root.truth("attention_bias", false);
            case QWEN2, MIMO, MISTRAL, T5, MT5, BART, MARIAN -> false;
        };
    }

    private record Window(OptionalInt size, int firstLayer) {
        static final Window NONE = new Window(OptionalInt.empty(), 0);
    }

    private Window window(int layers) {
        return switch (family) {
            case LLAMA, T5, MT5, BART, MARIAN -> Window.NONE;
            case MISTRAL -> {
                // A missing key means the family's default, null means none.
                boolean missing = root.node().path("sliding_window").isMissingNode();
                yield missing
                        ? new Window(OptionalInt.of(4096), 0)
                        : windowFrom(firstWindowLayer(layers, 0), layers);
            }
            case QWEN2, QWEN3, MIMO ->
                    root.truth("use_sliding_window", false)
                            ? windowFrom(
                                    firstWindowLayer(layers, root.natural("max_window_layers", 28)),
                                    layers)
                            : Window.NONE;
        };
    }

    private Window windowFrom(int firstLayer, int layers) {
        if (!root.has("sliding_window") || firstLayer >= layers) {
            return Window.NONE;
        }
        return new Window(OptionalInt.of(root.positive("sliding_window")), firstLayer);
    }

    /// Newer files list the kind of every layer.
    private int firstWindowLayer(int layers, int otherwise) {
        var kinds = root.texts("layer_types");
        if (kinds.isEmpty()) {
            return otherwise;
        }
        int first = kinds.indexOf("sliding_attention");
        int full = first < 0 ? layers : first;
        boolean split =
                kinds.size() == layers
                        && kinds.subList(0, full).stream().allMatch("full_attention"::equals)
                        && kinds.subList(full, layers).stream()
                                .allMatch("sliding_attention"::equals);
        if (!split) {
            throw root.unsupported(
                    "layer_types %s".formatted(kinds), "windows in all layers from some layer on");
        }
        return full;
    }

    private Optional<TensorType> storage() {
        var name = root.text("dtype", root.text("torch_dtype", ""));
        return Optional.ofNullable(STORAGE.get(name));
    }

    /// How `config.json` calls an element type.
    static String storageName(TensorType type) {
        return STORAGE.entrySet().stream()
                .filter(entry -> entry.getValue() == type)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "weights of type %s; expected one of %s"
                                        .formatted(type, List.copyOf(STORAGE.values()))));
    }
}
