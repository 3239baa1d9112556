package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Mapping;
import dev.outrider.chat.jinja.Value.None;
import dev.outrider.chat.jinja.Value.Real;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import dev.outrider.chat.jinja.Value.Truth;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// How values are written: as Python's `str` and `repr` do, and as JSON the way Python's `json.dumps` does.
final class Printing {
    private Printing() {}

    static String str(Value value) {
        return value instanceof Text(String text) ? text : repr(value);
    }

    private static String repr(Value value) {
        return switch (value) {
            case Text(String text) -> quoted(text);
            case Int(long number) -> Long.toString(number);
            case Real(double number) -> real(number);
            case Truth(boolean truth) -> truth ? "True" : "False";
            case None() -> "None";
            case Value.Undefined _ -> "";
            case Sequence(List<Value> elements, long _) ->
                    elements.stream()
                            .map(Printing::repr)
                            .collect(Collectors.joining(", ", "[", "]"));
            case Mapping(Map<Value, Value> entries, long _) ->
                    entries.entrySet().stream()
                            .map(entry -> repr(entry.getKey()) + ": " + repr(entry.getValue()))
                            .collect(Collectors.joining(", ", "{", "}"));
            case Value.Function(String name, var _) -> "<function %s>".formatted(name);
            case Value.Namespace _ -> "<Namespace>";
        };
    }

    private static String quoted(String text) {
        char quote = text.contains("'") && !text.contains("\"") ? '"' : '\'';
        var result = new StringBuilder().append(quote);
        for (char c : text.toCharArray()) {
            switch (c) {
                case '\\' -> result.append("\\\\");
                case '\n' -> result.append("\\n");
                case '\r' -> result.append("\\r");
                case '\t' -> result.append("\\t");
                default -> {
                    if (c == quote) {
                        result.append('\\').append(c);
                    } else if (c < 0x20 || c == 0x7F) {
                        result.append("\\x%02x".formatted((int) c));
                    } else {
                        result.append(c);
                    }
                }
            }
        }
        return result.append(quote).toString();
    }

    /// Shortest digits that give the number back; an exponent outside `[1e-4, 1e16)`.
    private static String real(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        double size = Math.abs(number);
        if (size != 0 && (size < 1e-4 || size >= 1e16)) {
            var parts = Double.toString(number).split("E");
            int exponent = Integer.parseInt(parts[1]);
            var digits =
                    parts[0].endsWith(".0")
                            ? parts[0].substring(0, parts[0].length() - 2)
                            : parts[0];
            return "%se%s%02d".formatted(digits, exponent < 0 ? "-" : "+", Math.abs(exponent));
        }
        var plain = new BigDecimal(Double.toString(number)).toPlainString();
        return plain.contains(".") ? plain : plain + ".0";
    }

    /// @param indent spaces per level; negative means one line
    static String json(Value value, int indent) {
        var out = new StringBuilder();
        json(value, indent, "\n", out);
        return out.toString();
    }

    private static void json(Value value, int indent, String newline, StringBuilder out) {
        switch (value) {
            case Text(String text) -> jsonText(text, out);
            case Int(long number) -> out.append(number);
            case Real(double number) -> out.append(real(number));
            case Truth(boolean truth) -> out.append(truth);
            case None() -> out.append("null");
            case Sequence(List<Value> elements, long _) -> {
                var inner = newline + " ".repeat(Math.max(indent, 0));
                out.append('[');
                for (int i = 0; i < elements.size(); i++) {
                    separate(i, indent, inner, out);
                    json(elements.get(i), indent, inner, out);
                }
                end(elements.isEmpty(), indent, newline, out).append(']');
            }
            case Mapping(Map<Value, Value> entries, long _) -> {
                var inner = newline + " ".repeat(Math.max(indent, 0));
                int i = 0;
                out.append('{');
                for (var entry : entries.entrySet()) {
                    separate(i++, indent, inner, out);
                    jsonText(str(entry.getKey()), out);
                    out.append(": ");
                    json(entry.getValue(), indent, inner, out);
                }
                end(entries.isEmpty(), indent, newline, out).append('}');
            }
            case Value.Undefined _, Value.Function _, Value.Namespace _ ->
                    throw Values.wrongKind(value, "something that JSON can say");
        }
    }

    private static void separate(int index, int indent, String inner, StringBuilder out) {
        if (index > 0) {
            out.append(indent < 0 ? ", " : ",");
        }
        if (indent >= 0) {
            out.append(inner);
        }
    }

    private static StringBuilder end(boolean empty, int indent, String newline, StringBuilder out) {
        return empty || indent < 0 ? out : out.append(newline);
    }

    private static void jsonText(String text, StringBuilder out) {
        out.append('"');
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (c < 0x20) {
                        out.append("\\u%04x".formatted((int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
