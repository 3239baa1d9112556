package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.architecture.GptReader.NeoxReader;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.LayerKind;
import dev.outrider.nn.network.DecoderConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Reads a Hugging Face `config.json`. Parts that the network does not support are refused by name, never ignored.
final class ModelConfigReader {
    private static final String MIXTURE = "a mixture of experts";

    private static final Map<String, TensorType> STORAGE =
            Map.of(
                    "float32", TensorType.F32,
                    "bfloat16", TensorType.BF16,
                    "float16", TensorType.F16);

    /// Keys of unsupported parts, unless they are absent, 0 or false.
    private static final Map<String, String> FOREIGN =
            Map.of(
                    "num_local_experts", MIXTURE,
                    "num_experts", MIXTURE,
                    "n_routed_experts", MIXTURE,
                    "kv_lora_rank", "latent attention");

    private static final Set<Family> MIXTURES =
            EnumSet.of(Family.MIXTRAL, Family.QWEN2_MOE, Family.QWEN3_MOE, Family.GPT_OSS);

    private final ConfigNode file;
    private final ConfigNode root;
    private final Family family;

    ModelConfigReader(ConfigNode file) {
        this.file = file;
        var part = textPart(file);
        var type = part.text("model_type", "(none)");
        family =
                Family.named(type)
                        .orElseThrow(() ->
                                part.unsupported(
                                        "model_type '%s'".formatted(type),
                                        String.join(", ", Family.names())));
        root = FamilyDefaults.complete(part, family);
    }

    /// Multimodal models have the decoder's configuration in an inner object.
    private static ConfigNode textPart(ConfigNode file) {
        var part = file.object("text_config");
        boolean known = Family.named(file.text("model_type", "")).isPresent();
        return !known && part.isPresent() ? part.get() : file;
    }

    ModelConfig read() {
        refuseForeignParts();
        var stacks =
                switch (family) {
                    case T5, MT5 -> requireStart(T5Reader.read(root));
                    case BART, MARIAN -> requireStart(BartReader.read(root, family));
                    case GPT_NEOX -> alone(() -> NeoxReader.read(root));
                    case GPT2, OPT -> alone(() -> GptReader.read(root, family));
                    case LLAMA,
                            MISTRAL,
                            QWEN2,
                            QWEN3,
                            MIXTRAL,
                            QWEN2_MOE,
                            QWEN3_MOE,
                            GPT_OSS,
                            MIMO,
                            GRANITE,
                            OLMO2,
                            SMOLLM3,
                            PHI3,
                            STARCODER2,
                            GEMMA,
                            GEMMA2,
                            GEMMA3 ->
                            alone(this::decoder);
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

    private Stacks alone(Supplier<DecoderConfig> decoder) {
        try {
            return new Stacks(decoder.get(), Optional.empty());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw root.invalid("describes no decoder: " + e.getMessage());
        }
    }

    /// Refuses a decoder whose start token is not in its vocabulary.
    private Stacks requireStart(Stacks stacks) {
        int tokens = stacks.decoder().vocabularySize();
        for (int token : stacks.encoder().orElseThrow().start()) {
            if (token >= tokens) {
                throw root.invalid(
                        "begins the decoder's text with token %d; expected one of 0 to %d"
                                .formatted(token, tokens - 1));
            }
        }
        return stacks;
    }

    private void refuseForeignParts() {
        FOREIGN.keySet().stream()
                .sorted()
                .filter(this::isUsed)
                .filter(key -> !(MIXTURES.contains(family) && key.startsWith("num_")))
                .findFirst()
                .ifPresent(key -> {
                    throw root.unsupported(
                            "%s (%s)".formatted(FOREIGN.get(key), root.prefix() + key),
                            "dense decoders, and the experts of "
                                    + MIXTURES.stream()
                                            .map(Family::modelType)
                                            .collect(Collectors.joining(", ")));
                });
    }

    private boolean isUsed(String key) {
        var value = root.node().path(key);
        return root.has(key) && !(value.isNumber() && value.doubleValue() == 0);
    }

    private DecoderConfig decoder() {
        int hidden = root.positive("hidden_size");
        int heads = root.positive("num_attention_heads");
        int layers = root.positive("num_hidden_layers");
        int positions = root.positive("max_position_embeddings");
        int headSize = headSize(hidden, heads);
        boolean partial = family == Family.PHI3;
        var rope =
                partial
                        ? RopeReader.readPartial(root, positions, 10_000)
                        : RopeReader.read(root, positions);
        var window = window(layers);
        double rotated = partial ? rotatedPart() : 1;
        return DecoderConfig.builder()
                .vocabularySize(root.positive("vocab_size"))
                .hiddenSize(hidden)
                .intermediateSize(root.positive("intermediate_size"))
                .layers(layers)
                .heads(heads)
                .keyValueHeads(root.positive("num_key_value_heads", heads))
                .headSize(headSize)
                .maxPositions(positions)
                .normEpsilon(normEpsilon())
                .tiedHead(root.truth("tie_word_embeddings", false))
                .queryKeyValueBias(queryKeyValueBias())
                .outputBias(outputBias())
                .feedForwardBias(feedForwardBias())
                .queryKeyNorm(
                        family == Family.QWEN3
                                || family == Family.QWEN3_MOE
                                || family == Family.OLMO2
                                || family == Family.GEMMA3)
                .slidingWindow(window.size())
                .firstWindowLayer(window.firstLayer())
                .rotarySize((int) (headSize * rotated))
                .ropeTheta(rope.theta())
                .localRopeTheta(localRopeTheta())
                .ropeScaling(rope.scaling())
                .form(form(layers, hidden, window))
                .build();
    }

    /// Returns the share of a head that is rotated. Newer files have this key together with the other values of the rotation.
    private double rotatedPart() {
        double stated = root.number("partial_rotary_factor", 1);
        return root.object("rope_parameters")
                .map(rope -> rope.number("partial_rotary_factor", stated))
                .orElse(stated);
    }

    private double normEpsilon() {
        return family == Family.STARCODER2
                ? root.number("norm_epsilon")
                : root.number("rms_norm_eps", 1e-6);
    }

    private boolean feedForwardBias() {
        return switch (family) {
            case LLAMA, GRANITE, SMOLLM3 -> root.truth("mlp_bias", false);
            case STARCODER2 -> root.truth("use_bias", false);
            default -> false;
        };
    }

    private OptionalDouble localRopeTheta() {
        return family == Family.GEMMA3
                ? OptionalDouble.of(root.number("rope_local_base_freq"))
                : OptionalDouble.empty();
    }

    private int headSize(int hidden, int heads) {
        if (root.has("head_dim")) {
            return root.positive("head_dim");
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
            case QWEN2, QWEN2_MOE -> true;
            case MISTRAL, MIXTRAL -> false;
            case STARCODER2 -> root.truth("use_bias", false);
            default -> root.truth("attention_bias", false);
        };
    }

    private boolean outputBias() {
        return switch (family) {
            case QWEN2, QWEN2_MOE, MIMO, MISTRAL, MIXTRAL -> false;
            case STARCODER2 -> root.truth("use_bias", false);
            default -> root.truth("attention_bias", false);
        };
    }

    private record Window(OptionalInt size, int firstLayer) {
        static final Window NONE = new Window(OptionalInt.empty(), 0);
    }

    private Window window(int layers) {
        return switch (family) {
            case GEMMA2, GEMMA3, PHI3, STARCODER2, MIXTRAL, GPT_OSS -> windowFrom(0, layers);
            case MISTRAL -> windowFrom(firstWindowLayer(layers, 0), layers);
            case QWEN2, QWEN3, QWEN2_MOE, QWEN3_MOE, MIMO ->
                    root.truth("use_sliding_window", false)
                            ? windowFrom(
                                    firstWindowLayer(layers, root.natural("max_window_layers", 28)),
                                    layers)
                            : Window.NONE;
            default -> Window.NONE;
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
        if (root.texts(FormReader.LAYER_TYPES).isEmpty()) {
            return otherwise;
        }
        int first = new FormReader(root, family).kinds(layers, 1).indexOf(LayerKind.LOCAL);
        return first < 0 ? layers : first;
    }

    /// Returns the form, with kinds of layers if a layer without a window follows a layer with one.
    private BlockForm form(int layers, int hidden, Window window) {
        var reader = new FormReader(root, family);
        var form = reader.read(layers, hidden);
        boolean listed = !root.texts(FormReader.LAYER_TYPES).isEmpty();
        if (!form.kinds().isEmpty() || window.size().isEmpty() || !listed) {
            return form;
        }
        var kinds = reader.kinds(layers, 1);
        return kinds.lastIndexOf(LayerKind.GLOBAL) > window.firstLayer()
                ? form.withKinds(kinds)
                : form;
    }

    private Optional<TensorType> storage() {
        var name = root.text("dtype", root.text("torch_dtype", ""));
        return Optional.ofNullable(STORAGE.get(name));
    }

    /// Returns the name of an element type in `config.json`.
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

    /// The stacks of a model.
    ///
    /// @param decoder the decoder
    /// @param encoder the encoder, in an encoder-decoder
    record Stacks(DecoderConfig decoder, Optional<EncoderConfig> encoder) {}

    /// Default values of optional keys: a missing key has the value of `family-defaults.json`; a
    /// key with the value null has none.
    static final class FamilyDefaults {
        private static final JsonNode ALL = read();

        private FamilyDefaults() {}

        /// @return the configuration with all optional keys of its family
        static ConfigNode complete(ConfigNode config, Family family) {
            ObjectNode complete = config.node().deepCopy();
            ALL.required(family.modelType())
                    .properties()
                    .forEach(entry -> complete.putIfAbsent(entry.getKey(), entry.getValue()));
            if (family == Family.GEMMA3) {
                splitRotation(complete);
            }
            return new ConfigNode(config.path(), config.prefix(), complete);
        }

        /// Newer files have the rotation of both kinds of layers in one object.
        private static void splitRotation(ObjectNode root) {
            var whole = root.path("rope_parameters").path("full_attention");
            var local = root.path("rope_parameters").path("sliding_attention");
            var type = local.path("rope_type").asText(local.path("type").asText("default"));
            if (whole.isObject() && type.equals("default")) {
                root.set("rope_parameters", whole);
                if (local.has("rope_theta")) {
                    root.set("rope_local_base_freq", local.path("rope_theta"));
                }
            }
        }

        private static JsonNode read() {
            var name = "family-defaults.json";
            try (var in = Objects.requireNonNull(FamilyDefaults.class.getResourceAsStream(name))) {
                return new ObjectMapper().readTree(in);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
