package dev.outrider.nn.architecture;

import static dev.outrider.nn.checkpoint.Quantisation.ALL;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.Quantisation;
import dev.outrider.nn.checkpoint.Quantisation.Layout;
import dev.outrider.spi.error.OutriderException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.function.Function;

/// Reads and writes the quantisation of linear weights in `config.json`.
public final class QuantisationConfig {
    private static final String KEY = "quantization_config";
    private static final String METHOD = "quant_method";
    private static final String COMPRESSED = "compressed-tensors";
    private static final String BITS = "bits";
    private static final String GROUP = "group_size";

    private static final Map<String, Function<QuantisationNode, Quantisation>> METHODS =
            Map.ofEntries(
                    Map.entry(COMPRESSED, CompressedTensorsConfig::read),
                    Map.entry("gptq", QuantisationConfig::gptq),
                    Map.entry("awq", QuantisationConfig::awq),
                    Map.entry("fp8", QuantisationConfig::fp8),
                    Map.entry("mxfp4", QuantisationConfig::mxfp4));

    private QuantisationConfig() {}

    /// Reads it, if present.
    ///
    /// @param root of the configuration
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` or `MODEL_CONFIG_INVALID`
    static Optional<Quantisation> read(ConfigNode root) {
        return root.object(KEY).map(QuantisationNode::new).map(QuantisationConfig::form);
    }

    /// Returns the supported values of `quant_method`.
    public static Set<String> methods() {
        return METHODS.keySet();
    }

    private static Quantisation form(QuantisationNode node) {
        var reader = METHODS.get(node.text(METHOD));
        if (reader == null) {
            throw node.other(METHOD);
        }
        return reader.apply(node);
    }

    private static Quantisation gptq(QuantisationNode node) {
        int bits = node.integer(BITS);
        node.require(bits == 4 || bits == Byte.SIZE, BITS);
        var layout =
                switch (node.node().text("checkpoint_format", "gptq")) {
                    case "gptq" -> Layout.GPTQ;
                    case "gptq_v2" -> Layout.GPTQ_V2;
                    default -> throw node.other("checkpoint_format");
                };
        node.require(node.node().text("pack_dtype", "int32").equals("int32"), "pack_dtype");
        node.requireKnown("gptq");
        int group = node.group(GROUP);
        boolean groupIndexRequired =
                node.says("desc_act", true) && !node.says("static_groups", true);
        return new Quantisation(layout, bits, 1, group, true, groupIndexRequired && group != ALL);
    }

    private static Quantisation awq(QuantisationNode node) {
        node.require(BITS, 4);
        node.require(node.text("version").equals("gemm"), "version");
        node.require("zero_point", true);
        node.requireKnown("awq");
        return new Quantisation(Layout.AWQ, 4, 1, node.group(GROUP), true);
    }

    private static Quantisation fp8(QuantisationNode node) {
        node.require(node.node().text("fmt", "e4m3").equals("e4m3"), "fmt");
        // As with compressed tensors, rounded activations stay in 32 bits.
        node.require(
                Set.of("dynamic", "static")
                        .contains(node.node().text("activation_scheme", "dynamic")),
                "activation_scheme");
        node.requireKnown("fp8");
        if (!node.node().has("weight_block_size")) {
            return floats(Layout.FLOATS, ALL, ALL);
        }
        var block = node.block("weight_block_size");
        return floats(Layout.FLOATS_INVERSE, block[0], block[1]);
    }

    private static Quantisation mxfp4(QuantisationNode node) {
        node.requireKnown("mxfp4");
        return new Quantisation(Layout.MXFP4, 4, 1, 32, false);
    }

    static Quantisation floats(Layout layout, int rows, int columns) {
        return new Quantisation(layout, Byte.SIZE, rows, columns, false);
    }

    /// Writes Outrider's own form: `pack-quantized` of `compressed-tensors`, symmetric groups of
    /// [Levels#BLOCK].
    ///
    /// @param root   of the configuration
    /// @param ignore linear layers that are not quantised
    public static void write(ObjectNode root, Levels levels, Collection<String> ignore) {
        var whole =
                root.putObject(KEY)
                        .put(METHOD, COMPRESSED)
                        .put("format", CompressedTensorsConfig.PACKED)
                        .put("quantization_status", CompressedTensorsConfig.STATUS);
        var names = JsonNodeFactory.instance.arrayNode();
        ignore.forEach(names::add);
        whole.set("ignore", names);
        var group = whole.putObject("config_groups").putObject("group_0");
        group.putArray("targets").add("Linear");
        group.putObject("weights")
                .put("num_bits", levels.bits())
                .put("type", "int")
                .put("symmetric", true)
                .put("strategy", "group")
                .put(GROUP, Levels.BLOCK)
                .put("dynamic", false);
    }

    /// An object of `quantization_config`. Unsupported content is refused with its key and value.
    ///
    /// @param node the object
    record QuantisationNode(ConfigNode node) {
        private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
        private static final ResourceBundle KNOWN =
                ResourceBundle.getBundle(
                        "dev.outrider.nn.architecture.quantisation-keys", Locale.ROOT);

        /// The minimum number of columns that share a scale.
        private static final int MIN = 32;

        private static final String READ =
                "dense decoders with plain weights, or with those that 'outrider quantise' writes and the like: compressed-tensors (pack-quantized of 4 or 8 bits, int-quantized, float-quantized, naive-quantized), gptq of 4 or 8 bits with inputs in their order, awq of 4 bits in version gemm, fp8, mxfp4; groups of a multiple of %d. Convert it to one of these, or take the model as GGUF"
                        .formatted(MIN);

        /// Returns a required inner object.
        QuantisationNode object(String key) {
            return new QuantisationNode(node.object(key).orElseThrow(() -> other(key)));
        }

        /// Returns a string, in lower case.
        String text(String key) {
            var value = node.node().path(key);
            require(value.isTextual(), key);
            return value.textValue().toLowerCase(Locale.ROOT);
        }

        /// Returns an integer.
        int integer(String key) {
            var value = node.node().path(key);
            require(value.isInt(), key);
            return value.intValue();
        }

        /// Returns the columns of a group.
        ///
        /// @return a multiple of 32, or [Quantisation#ALL] for -1
        int group(String key) {
            int size = integer(key);
            if (size == -1) {
                return Quantisation.ALL;
            }
            require(size >= MIN && size % MIN == 0, key);
            return size;
        }

        /// Returns the rows and columns of a block.
        int[] block(String key) {
            var value = node.node().path(key);
            boolean two = value.isArray() && value.size() == 2;
            require(two && value.path(0).isInt() && value.path(1).isInt(), key);
            int rows = value.path(0).intValue();
            int columns = value.path(1).intValue();
            require(rows >= 1 && columns >= MIN && columns % MIN == 0, key);
            return new int[] {rows, columns};
        }

        /// Returns whether a key has a value.
        boolean says(String key, boolean value) {
            return node.node().path(key).equals(JSON.booleanNode(value));
        }

        void require(String key, String wanted) {
            require(key, JSON.textNode(wanted));
        }

        void require(String key, boolean wanted) {
            require(key, JSON.booleanNode(wanted));
        }

        void require(String key, int wanted) {
            require(key, JSON.numberNode(wanted));
        }

        private void require(String key, JsonNode wanted) {
            require(wanted.equals(node.node().path(key)), key);
        }

        /// Requires that other keys have no effect.
        ///
        /// @param name of the list of known keys in `quantisation-keys.properties`
        void requireKnown(String name) {
            var known = Set.of(KNOWN.getString(name).split(" "));
            for (var entry : node.node().properties()) {
                var value = entry.getValue();
                boolean silent =
                        value.isNull()
                                || value.isContainerNode() && value.isEmpty()
                                || value.isBoolean() && !value.booleanValue();
                require(silent || known.contains(entry.getKey()), entry.getKey());
            }
        }

        /// @throws OutriderException with the value of the key, if it is not allowed
        void require(boolean allowed, String key) {
            if (!allowed) {
                throw other(key);
            }
        }

        /// Returns the exception for an unsupported value of a key.
        OutriderException other(String key) {
            var value = node.node().path(key);
            return node.unsupported(
                    "quantised weights (%s%s = %s)"
                            .formatted(
                                    node.prefix(), key, value.isMissingNode() ? "nothing" : value),
                    READ);
        }
    }

    /// Reads the quantisation of `compressed-tensors`: one group of settings for all linear
    /// weights.
    static final class CompressedTensorsConfig {
        static final String STATUS = "compressed";
        static final String PACKED = "pack-quantized";
        private static final String INTEGERS = "int-quantized";
        private static final String FLOATS = "float-quantized";
        private static final String NAIVE = "naive-quantized";
        private static final String BITS = "num_bits";
        private static final String FORMAT = "format";
        private static final String STRATEGY = "strategy";
        private static final String ACTIVATIONS = "input_activations";

        private CompressedTensorsConfig() {}

        /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` or `MODEL_CONFIG_INVALID`
        static Quantisation read(QuantisationNode whole) {
            var format = whole.text(FORMAT);
            // Older files say that their weights are frozen. The tensors show how they are stored.
            var status = whole.node().text("quantization_status", STATUS);
            whole.require(Set.of(STATUS, "frozen").contains(status), "quantization_status");
            requireDense(whole);
            var groups = whole.object("config_groups");
            whole.require(groups.node().node().size() == 1, "config_groups");
            var group = groups.object(groups.node().node().fieldNames().next());
            group.require(group.node().texts("targets").equals(List.of("Linear")), "targets");
            if (group.node().has(FORMAT)) {
                group.require(FORMAT, format);
            }
            whole.requireKnown(COMPRESSED);
            group.requireKnown("group");
            var weights = group.object("weights");
            var form =
                    switch (format) {
                        case PACKED -> integers(weights, Layout.PACKED);
                        case INTEGERS -> integers(weights, Layout.INTEGERS);
                        case FLOATS -> floats(weights);
                        case NAIVE ->
                                weights.text("type").equals("float")
                                        ? floats(weights)
                                        : integers(weights, Layout.INTEGERS);
                        default -> throw whole.other(FORMAT);
                    };
            requireActivations(group, form.layout());
            weights.require(!weights.node().truth("dynamic", false), "dynamic");
            weights.requireKnown("weights");
            return form;
        }

        private static void requireDense(QuantisationNode whole) {
            var sparsity = whole.node().object("sparsity_config");
            whole.require(
                    sparsity.map(each -> each.text(FORMAT, "dense"))
                            .orElse("dense")
                            .equals("dense"),
                    "sparsity_config");
        }

        /// Engines round activations to the weights' 8 bits to multiply faster, by scales that they compute or that the file
        /// contains. Here activations stay in 32 bits, as for weights that are converted to floats.
        private static void requireActivations(QuantisationNode group, Layout layout) {
            if (group.node().has(ACTIVATIONS)) {
                var rounded = group.object(ACTIVATIONS);
                group.require(layout != Layout.PACKED, ACTIVATIONS);
                rounded.require(BITS, Byte.SIZE);
                rounded.require("type", layout == Layout.FLOATS ? "float" : "int");
            }
        }

        private static Quantisation integers(QuantisationNode weights, Layout layout) {
            weights.require("type", "int");
            int bits = weights.integer(BITS);
            boolean fits = bits == Byte.SIZE || layout == Layout.PACKED && bits == 4;
            weights.require(fits, BITS);
            boolean symmetric = weights.says("symmetric", true);
            weights.require(
                    symmetric || layout == Layout.PACKED && weights.says("symmetric", false),
                    "symmetric");
            var order = weights.node().text("actorder", "static");
            weights.require(Set.of("static", "weight").contains(order), "actorder");
            weights.require(!weights.node().has("block_structure"), "block_structure");
            return switch (weights.text(STRATEGY)) {
                case "group" ->
                        new Quantisation(layout, bits, 1, weights.group("group_size"), !symmetric);
                case "channel" -> new Quantisation(layout, bits, 1, ALL, !symmetric);
                default -> throw weights.other(STRATEGY);
            };
        }

        private static Quantisation floats(QuantisationNode weights) {
            weights.require("type", "float");
            weights.require(BITS, Byte.SIZE);
            weights.require("symmetric", true);
            weights.require(!weights.node().has("actorder"), "actorder");
            return switch (weights.text(STRATEGY)) {
                case "tensor" -> QuantisationConfig.floats(Layout.FLOATS, ALL, ALL);
                case "channel" -> QuantisationConfig.floats(Layout.FLOATS, 1, ALL);
                case "block" -> {
                    var block = weights.block("block_structure");
                    yield QuantisationConfig.floats(Layout.FLOATS, block[0], block[1]);
                }
                default -> throw weights.other(STRATEGY);
            };
        }
    }
}
