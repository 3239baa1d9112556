package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.spi.error.OutriderException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// How `config.json` says that linear weights are kept in few bits: one form of `compressed-tensors`, any other of which is refused.
public final class QuantisationConfig {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String KEY = "quantization_config";
    private static final String BITS = "num_bits";
    private static final String READ =
            "dense decoders with plain weights, or with those that 'outrider quantise' writes: compressed-tensors, pack-quantized, groups of %d symmetric integers of 4 or 8 bits"
                    .formatted(Levels.BLOCK);

    private static final ObjectNode WHOLE =
            JSON.objectNode()
                    .put("quant_method", "compressed-tensors")
                    .put("format", "pack-quantized")
                    .put("quantization_status", "compressed");
    private static final ObjectNode WEIGHTS =
            JSON.objectNode()
                    .put("type", "int")
                    .put("symmetric", true)
                    .put("strategy", "group")
                    .put("group_size", Levels.BLOCK)
                    .put("dynamic", false);
    private static final ObjectNode GROUP = JSON.objectNode();

    static {
        GROUP.putArray("targets").add("Linear");
    }

    /// What would change results or their layout.
    private static final List<String> NONE_OF_WHOLE =
            List.of("kv_cache_scheme", "sparsity_config", "transform_config");

    private static final List<String> NONE_OF_GROUP =
            List.of("input_activations", "output_activations");
    private static final List<String> NONE_OF_WEIGHTS = List.of("actorder", "block_structure");

    private QuantisationConfig() {}

    /// Reads it, if it is there.
    ///
    /// @param root of the configuration
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` or `MODEL_CONFIG_INVALID`
    static Optional<Levels> read(ConfigNode root) {
        return root.object(KEY).map(QuantisationConfig::levels);
    }

    private static Levels levels(ConfigNode whole) {
        require(whole, WHOLE);
        refuse(whole, NONE_OF_WHOLE);
        var groups = whole.object("config_groups").orElseThrow(() -> other(whole, "config_groups"));
        if (groups.node().size() != 1) {
            throw other(whole, "config_groups");
        }
        var name = groups.node().fieldNames().next();
        var group = groups.object(name).orElseThrow(() -> other(groups, name));
        require(group, GROUP);
        refuse(group, NONE_OF_GROUP);
        var weights = group.object("weights").orElseThrow(() -> other(group, "weights"));
        require(weights, WEIGHTS);
        refuse(weights, NONE_OF_WEIGHTS);
        return Levels.ofBits(weights.node().path(BITS).asInt())
                .filter(_ -> weights.node().path(BITS).isInt())
                .orElseThrow(() -> other(weights, BITS));
    }

    private static void require(ConfigNode node, ObjectNode wanted) {
        for (var entry : wanted.properties()) {
            if (!entry.getValue().equals(node.node().path(entry.getKey()))) {
                throw other(node, entry.getKey());
            }
        }
    }

    private static void refuse(ConfigNode node, List<String> keys) {
        for (var key : keys) {
            if (node.has(key) && !(node.node().path(key) instanceof ObjectNode o && o.isEmpty())) {
                throw other(node, key);
            }
        }
    }

    private static OutriderException other(ConfigNode node, String key) {
        JsonNode value = node.node().path(key);
        return node.unsupported(
                "quantised weights (%s%s = %s)"
                        .formatted(node.prefix(), key, value.isMissingNode() ? "nothing" : value),
                READ);
    }

    /// Writes it.
    ///
    /// @param root   of the configuration
    /// @param ignore linear layers that are not quantised
    public static void write(ObjectNode root, Levels levels, Collection<String> ignore) {
        var whole = root.putObject(KEY).setAll(WHOLE);
        var names = JSON.arrayNode();
        ignore.forEach(names::add);
        ((ObjectNode) whole).set("ignore", names);
        var group = ((ObjectNode) whole).putObject("config_groups").putObject("group_0");
        group.setAll(GROUP.deepCopy());
        group.putObject("weights").put(BITS, levels.bits()).setAll(WEIGHTS);
    }
}
