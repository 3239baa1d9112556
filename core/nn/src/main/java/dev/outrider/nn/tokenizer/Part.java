package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A component of a `tokenizer.json`. Every value that is read is checked and written to a copy; only the copy goes
/// to the tokenizers library, whose panics end the process.
///
/// @param path  the file, for messages
/// @param where the component, such as `normalizer.normalizers[1]`; empty for the whole file
/// @param in    what the file says
/// @param out   the copy
record Part(Path path, String where, JsonNode in, ObjectNode out) {
    /// The component's kind, one of those given.
    String type(List<String> known) {
        if (!in.isObject()) {
            throw refused("has %s = %s; expected an object".formatted(where, brief(in)));
        }
        return oneOf("type", known);
    }

    String oneOf(String key, List<String> known) {
        var value = in.path(key);
        if (!value.isTextual() || !known.contains(value.textValue())) {
            throw wrong(key, "one of " + String.join(", ", known));
        }
        out.put(key, value.textValue());
        return value.textValue();
    }

    boolean truth(String key) {
        if (!in.path(key).isBoolean()) {
            throw wrong(key, "true or false");
        }
        out.put(key, in.path(key).booleanValue());
        return in.path(key).booleanValue();
    }

    boolean truth(String key, boolean otherwise) {
        if (has(key)) {
            return truth(key);
        }
        out.put(key, otherwise);
        return otherwise;
    }

    String text(String key) {
        if (!in.path(key).isTextual()) {
            throw wrong(key, "a string");
        }
        out.put(key, in.path(key).textValue());
        return in.path(key).textValue();
    }

    /// A string, or empty if there is none.
    String text(String key, String otherwise) {
        return has(key) ? text(key) : otherwise;
    }

    /// One character.
    String character(String key) {
        var value = text(key);
        if (value.codePointCount(0, value.length()) != 1) {
            throw wrong(key, "one character");
        }
        return value;
    }

    int integer(String key, int least, int most) {
        var value = in.path(key);
        if (!value.isInt() || value.intValue() < least || value.intValue() > most) {
            throw wrong(key, "an integer from %d to %d".formatted(least, most));
        }
        out.put(key, value.intValue());
        return value.intValue();
    }

    /// Components of this one, whose copies are already in its copy.
    List<Part> parts(String key) {
        if (!in.path(key).isArray()) {
            throw wrong(key, "a list");
        }
        var copies = out.putArray(key);
        var parts = new ArrayList<Part>();
        for (var element : in.path(key)) {
            parts.add(
                    new Part(
                            path,
                            "%s[%d]".formatted(within(key), parts.size()),
                            element,
                            copies.addObject()));
        }
        return parts;
    }

    /// An object in this one.
    Part part(String key) {
        return new Part(path, within(key), in.path(key), out.putObject(key));
    }

    boolean has(String key) {
        return !in.path(key).isMissingNode() && !in.path(key).isNull();
    }

    OutriderException wrong(String key, String expected) {
        return refused(
                "has %s = %s; expected %s".formatted(within(key), brief(in.path(key)), expected));
    }

    OutriderException refused(String problem) {
        return VocabularyFile.invalid(path, problem);
    }

    private String within(String key) {
        return where.isEmpty() ? key : where + "." + key;
    }

    private static String brief(JsonNode value) {
        var text = value.isMissingNode() ? "(none)" : value.toString();
        return text.length() <= 200 ? text : text.substring(0, 200) + "...";
    }
}
