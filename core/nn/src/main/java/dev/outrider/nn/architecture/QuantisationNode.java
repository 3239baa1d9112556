package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.outrider.nn.checkpoint.Quantisation;
import dev.outrider.spi.error.OutriderException;
import java.util.Locale;
import java.util.Set;

/// An object of `quantization_config`. What it says beyond what can be read is refused with its key and value.
///
/// @param node the object
record QuantisationNode(ConfigNode node) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /// The least number of columns that are kept together.
    private static final int MIN = 32;

    private static final String READ =
            "dense decoders with plain weights, or with those that 'outrider quantise' writes and the like: compressed-tensors (pack-quantized of 4 or 8 bits, int-quantized without quantised activations, float-quantized), gptq of 4 or 8 bits without desc_act, awq of 4 bits in version gemm, fp8 with weight_block_size, mxfp4; groups of a multiple of %d. Convert it to one of these, or take the model as GGUF"
                    .formatted(MIN);

    /// An inner object that must be there.
    QuantisationNode object(String key) {
        return new QuantisationNode(node.object(key).orElseThrow(() -> other(key)));
    }

    /// A string, in lower case.
    String text(String key) {
        var value = node.node().path(key);
        if (!value.isTextual()) {
            throw other(key);
        }
        return value.textValue().toLowerCase(Locale.ROOT);
    }

    /// An integer.
    int integer(String key) {
        var value = node.node().path(key);
        if (!value.isInt()) {
            throw other(key);
        }
        return value.intValue();
    }

    /// Columns of a group.
    ///
    /// @return a multiple of 32, or [Quantisation#ALL] for -1
    int group(String key) {
        int size = integer(key);
        if (size == -1) {
            return Quantisation.ALL;
        }
        if (size < MIN || size % MIN != 0) {
            throw other(key);
        }
        return size;
    }

    /// Rows and columns of a block.
    int[] block(String key) {
        var value = node.node().path(key);
        boolean two = value.isArray() && value.size() == 2;
        if (!two || !value.path(0).isInt() || !value.path(1).isInt()) {
            throw other(key);
        }
        int rows = value.path(0).intValue();
        int columns = value.path(1).intValue();
        if (rows < 1 || columns < MIN || columns % MIN != 0) {
            throw other(key);
        }
        return new int[] {rows, columns};
    }

    /// Whether a key has a value.
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
        if (!wanted.equals(node.node().path(key))) {
            throw other(key);
        }
    }

    /// Requires that keys other than these say nothing.
    void requireKnown(Set<String> known) {
        for (var entry : node.node().properties()) {
            var value = entry.getValue();
            boolean silent =
                    value.isNull()
                            || value.isContainerNode() && value.isEmpty()
                            || value.isBoolean() && !value.booleanValue();
            if (!silent && !known.contains(entry.getKey())) {
                throw other(entry.getKey());
            }
        }
    }

    /// That a key has a value that cannot be read.
    OutriderException other(String key) {
        var value = node.node().path(key);
        return node.unsupported(
                "quantised weights (%s%s = %s)"
                        .formatted(node.prefix(), key, value.isMissingNode() ? "nothing" : value),
                READ);
    }
}
