package dev.outrider.nn.architecture;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.outrider.common.FailureReason;
import dev.outrider.nn.checkpoint.CheckpointJson;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// An object of a JSON configuration file whose values are checked when they are read. A value of
/// `null` counts as absent. A value that cannot be read is refused with the file, the key and the
/// value.
///
/// @param path   the file, for messages
/// @param prefix position in the file, such as `rope_scaling.`; empty for the root
/// @param node   the object
public record ConfigNode(Path path, String prefix, JsonNode node) {
    /// Reads a whole file.
    ///
    /// @throws OutriderException `MODEL_CONFIG_INVALID` if it is not a JSON object, `IO_FAILED`
    public static ConfigNode read(Path path) {
        try {
            var node = CheckpointJson.read(path);
            if (!node.isObject()) {
                throw invalid(path, "is not a JSON object");
            }
            return new ConfigNode(path, "", node);
        } catch (JsonProcessingException e) {
            throw invalid(path, "is not valid JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw FailureReason.reading(path, e);
        }
    }

    /// Returns whether there is a value.
    public boolean has(String key) {
        return !node.path(key).isMissingNode() && !node.path(key).isNull();
    }

    /// Returns an inner object, if present.
    public Optional<ConfigNode> object(String key) {
        if (!has(key)) {
            return Optional.empty();
        }
        if (!node.path(key).isObject()) {
            throw wrong(key, "an object");
        }
        return Optional.of(new ConfigNode(path, prefix + key + ".", node.path(key)));
    }

    /// Returns a required integer of at least 1.
    public int positive(String key) {
        if (!has(key)) {
            throw invalid(path, "has no %s%s".formatted(prefix, key));
        }
        return positive(key, 0);
    }

    /// Returns an integer of at least 1.
    public int positive(String key, int otherwise) {
        return read(
                key,
                otherwise,
                value -> value.isInt() && value.intValue() >= 1,
                JsonNode::intValue,
                "a positive integer");
    }

    /// Returns an integer of at least 0.
    public int natural(String key, int otherwise) {
        return read(
                key,
                otherwise,
                value -> value.isInt() && value.intValue() >= 0,
                JsonNode::intValue,
                "an integer of at least 0");
    }

    private <T> T read(
            String key,
            T otherwise,
            Predicate<JsonNode> allowed,
            Function<JsonNode, T> read,
            String expected) {
        if (!has(key)) {
            return otherwise;
        }
        if (!allowed.test(node.path(key))) {
            throw wrong(key, expected);
        }
        return read.apply(node.path(key));
    }

    /// Returns a required positive number.
    public double number(String key) {
        if (!has(key)) {
            throw invalid(path, "has no %s%s".formatted(prefix, key));
        }
        return number(key, 0);
    }

    /// Returns a positive number.
    public double number(String key, double otherwise) {
        return read(
                key, otherwise, ConfigNode::isPositive, JsonNode::doubleValue, "a positive number");
    }

    private static boolean isPositive(JsonNode value) {
        return value.isNumber()
                && value.doubleValue() > 0
                && !Double.isInfinite(value.doubleValue());
    }

    /// Returns a boolean.
    public boolean truth(String key, boolean otherwise) {
        return read(key, otherwise, JsonNode::isBoolean, JsonNode::booleanValue, "true or false");
    }

    /// Returns a string.
    public String text(String key, String otherwise) {
        return read(key, otherwise, JsonNode::isTextual, JsonNode::textValue, "a string");
    }

    /// Returns a list of texts, empty if absent.
    public List<String> texts(String key) {
        var texts = new ArrayList<String>();
        if (has(key)) {
            for (var element : node.path(key)) {
                if (!element.isTextual()) {
                    throw wrong(key, "a list of strings");
                }
                texts.add(element.textValue());
            }
        }
        return texts;
    }

    /// Returns a required list of positive numbers.
    public List<Double> numbers(String key) {
        var numbers = new ArrayList<Double>();
        for (var element : node.path(key)) {
            if (!element.isNumber() || !(element.doubleValue() > 0)) {
                throw wrong(key, "a list of positive numbers");
            }
            numbers.add(element.doubleValue());
        }
        if (numbers.isEmpty()) {
            throw wrong(key, "a list of positive numbers");
        }
        return numbers;
    }

    /// Returns token ids, given as one integer or as a list.
    public List<Integer> ids(String key) {
        if (!has(key)) {
            return List.of();
        }
        var value = node.path(key);
        var elements = value.isArray() ? value : JsonNodeFactory.instance.arrayNode().add(value);
        var ids = new ArrayList<Integer>();
        for (var element : elements) {
            if (!element.isInt() || element.intValue() < 0) {
                throw wrong(key, "a token id or a list of token ids");
            }
            ids.add(element.intValue());
        }
        return ids;
    }

    /// Returns the exception for a value other than `expected`.
    public OutriderException wrong(String key, String expected) {
        return invalid(
                path,
                "has %s%s = %s; expected %s".formatted(prefix, key, node.path(key), expected));
    }

    /// Returns the exception for an impossible configuration.
    public OutriderException invalid(String problem) {
        return invalid(path, problem);
    }

    /// Returns the exception for a model that is not supported.
    ///
    /// @param what     the value in the file
    /// @param expected the supported values
    public OutriderException unsupported(String what, String expected) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                "'%s' has %s; Outrider runs %s".formatted(path, what, expected),
                "Use another checkpoint, or add the missing part to core/nn.");
    }

    private static OutriderException invalid(Path path, String problem) {
        return ErrorCode.MODEL_CONFIG_INVALID.error(
                "'%s' %s".formatted(path, problem),
                "Check that the file is the checkpoint's own and download it again if need be.");
    }
}
