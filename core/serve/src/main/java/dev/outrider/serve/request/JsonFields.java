package dev.outrider.serve.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.StreamSupport;

/// The fields of a JSON object, each read once by its type. Fields that are not read are ignored, and their names kept. A field
/// that is null counts as left out.
public final class JsonFields {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_SHOWN = 40;

    private static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .maxStringLength(Integer.MAX_VALUE)
                                                    .build())
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)
                    .build();

    private final ObjectNode object;
    private final Set<String> known = new LinkedHashSet<>();

    private JsonFields(ObjectNode object) {
        this.object = object;
    }

    /// Reads a body.
    ///
    /// @throws ApiException if it is not a JSON object, or nested too deeply
    public static JsonFields parse(byte[] body) {
        try {
            // Jackson also accepts longer encodings of characters, and other character sets.
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            if (MAPPER.readTree(body) instanceof ObjectNode object) {
                return new JsonFields(object);
            }
            throw unreadable("the body is no JSON object");
        } catch (JsonProcessingException e) {
            throw unreadable(
                    "the body is no JSON that can be read: %s (line %d, column %d)"
                            .formatted(
                                    shown(e.getOriginalMessage(), 200),
                                    e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                                    e.getLocation() == null ? 0 : e.getLocation().getColumnNr()));
        } catch (IOException e) {
            throw unreadable("the body is no UTF-8: " + e.getMessage());
        }
    }

    private static ApiException unreadable(String message) {
        return ApiException.rejected(400, "invalid_json", message);
    }

    /// The fields of a value inside a body.
    ///
    /// @param where its name in messages
    static JsonFields of(JsonNode node, String where) {
        if (node instanceof ObjectNode object) {
            return new JsonFields(object);
        }
        throw ApiException.invalid(
                where, "%s is %s, expected an object".formatted(where, shown(node)));
    }

    /// Returns the names of fields that were not read.
    public List<String> ignored() {
        var names = new ArrayList<String>();
        object.fieldNames().forEachRemaining(names::add);
        names.removeAll(known);
        return names;
    }

    /// A field of any type.
    public Optional<JsonNode> any(String name) {
        known.add(name);
        return Optional.ofNullable(object.get(name)).filter(node -> !node.isNull());
    }

    /// Returns a required field.
    ///
    /// @throws ApiException if it is missing
    public JsonNode required(String name) {
        return any(name)
                .orElseThrow(() -> ApiException.invalid(name, "'%s' is missing".formatted(name)));
    }

    /// Returns a text without unpaired surrogates.
    public Optional<String> text(String name) {
        return any(name).map(node -> text(name, node));
    }

    static String text(String name, JsonNode node) {
        if (!node.isTextual()) {
            throw wrong(name, node, "a text");
        }
        var text = node.textValue();
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            if (Character.isHighSurrogate(unit)
                    && at + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(at + 1))) {
                at++;
            } else if (Character.isSurrogate(unit)) {
                throw ApiException.invalid(
                        name,
                        "%s has half of a surrogate pair (U+%04X) at position %d, expected whole characters"
                                .formatted(name, (int) unit, at));
            }
        }
        return text;
    }

    /// Returns a boolean.
    public boolean flag(String name, boolean otherwise) {
        return any(name)
                .map(node -> {
                    if (!node.isBoolean()) {
                        throw wrong(name, node, "true or false");
                    }
                    return node.booleanValue();
                })
                .orElse(otherwise);
    }

    /// A whole number of 32 bits in a range, both ends included.
    public OptionalInt count(String name, int least, int most) {
        return integer(name, least, most)
                .map(each -> OptionalInt.of(each.intValue()))
                .orElse(OptionalInt.empty());
    }

    /// A whole number in a range, both ends included.
    public Optional<Long> integer(String name, long least, long most) {
        return any(name).map(node -> integer(name, node, least, most));
    }

    static long integer(String name, JsonNode node, long least, long most) {
        if (!node.isNumber()
                || !(node.isIntegralNumber()
                        ? node.canConvertToLong()
                        : node.canConvertToExactIntegral()
                                && Math.abs(node.doubleValue()) < 1L << 53)
                || node.longValue() < least
                || node.longValue() > most) {
            throw wrong(
                    name,
                    node,
                    most == Long.MAX_VALUE
                            ? "a whole number of 64 bits"
                            : "a whole number from %d to %d".formatted(least, most));
        }
        return node.longValue();
    }

    /// A number in a range, both ends included.
    public Optional<Double> number(String name, double least, double most) {
        return any(name).map(node -> number(name, node, least, most));
    }

    static double number(String name, JsonNode node, double least, double most) {
        double value = node.isNumber() ? node.doubleValue() : Double.NaN;
        if (!(value >= least && value <= most)) {
            throw wrong(name, node, "a number from %s to %s".formatted(plain(least), plain(most)));
        }
        return value;
    }

    private static String plain(double value) {
        return Double.toString(value).replaceFirst("\\.0$", "");
    }

    /// The items of a list.
    static List<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).toList();
    }

    static ApiException wrong(String name, JsonNode value, String expected) {
        return ApiException.invalid(
                name, "%s is %s, expected %s".formatted(name, shown(value), expected));
    }

    private static String shown(JsonNode value) {
        if (value.isContainerNode()) {
            return value.isArray() ? "a list" : "an object";
        }
        return shown(value.toString(), MAX_SHOWN);
    }

    private static String shown(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }
}
