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

/// Converts values to text: like Python's `str` and `repr`, and to JSON like Python's `json.dumps`.
final class Printing {
    /// Cost of finding the shortest digits of a number, in characters read.
    private static final int LOOKS_OF_A_REAL = 100;

    private Printing() {}

    static String str(Value value, Budget budget) {
        if (value instanceof Text(String text)) {
            return text;
        }
        var out = new Output(budget);
        repr(value, out);
        return out.toString();
    }

    /// Writes a value as `{{ … }}` does.
    static void str(Value value, Output out) {
        if (value instanceof Text(String text)) {
            out.add(text);
        } else {
            repr(value, out);
        }
    }

    private static void repr(Value value, Output out) {
        switch (value) {
            case Text(String text) -> quoted(text, out);
            case Int(long number) -> out.add(Long.toString(number));
            case Real(double number) -> real(number, out);
            case Truth(boolean truth) -> out.add(truth ? "True" : "False");
            case None() -> out.add("None");
            case Value.Undefined _ -> {}
            case Sequence(List<Value> elements) -> {
                out.budget().enter();
                out.add('[');
                for (int i = 0; i < elements.size(); i++) {
                    out.add(i > 0 ? ", " : "");
                    repr(elements.get(i), out);
                }
                out.add(']');
                out.budget().leave();
            }
            case Mapping(Map<Value, Value> entries) -> {
                out.budget().enter();
                out.add('{');
                var separator = "";
                for (var entry : entries.entrySet()) {
                    out.add(separator);
                    repr(entry.getKey(), out);
                    out.add(": ");
                    repr(entry.getValue(), out);
                    separator = ", ";
                }
                out.add('}');
                out.budget().leave();
            }
            case Value.Function(String name, var _) -> out.add("<function ").add(name).add(">");
            case Value.Namespace _ -> out.add("<Namespace>");
        }
    }

    private static void quoted(String text, Output out) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        out.add(quote);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> out.add("\\\\");
                case '\n' -> out.add("\\n");
                case '\r' -> out.add("\\r");
                case '\t' -> out.add("\\t");
                default -> {
                    if (c == quote) {
                        out.add('\\').add(c);
                    } else if (c < 0x20 || c == 0x7F) {
                        out.add("\\x").addHexadecimal(c, 2);
                    } else {
                        out.add(c);
                    }
                }
            }
        }
        out.add(quote);
    }

    /// Writes the shortest digits that give the number back, with an exponent outside `[1e-4,
    /// 1e16)`.
    private static void real(double number, Output out) {
        out.budget().work(LOOKS_OF_A_REAL);
        if (Double.isNaN(number)) {
            out.add("nan");
        } else if (Double.isInfinite(number)) {
            out.add(number > 0 ? "inf" : "-inf");
        } else if (number != 0 && (Math.abs(number) < 1e-4 || Math.abs(number) >= 1e16)) {
            var digits = Double.toString(number);
            int letter = digits.indexOf('E');
            int exponent = Integer.parseInt(digits, letter + 1, digits.length(), 10);
            out.add(digits, 0, digits.startsWith(".0", letter - 2) ? letter - 2 : letter)
                    .add(exponent < 0 ? "e-" : "e+")
                    .add(Math.abs(exponent) < 10 ? "0" : "")
                    .add(Integer.toString(Math.abs(exponent)));
        } else {
            var plain = new BigDecimal(Double.toString(number)).toPlainString();
            out.add(plain).add(plain.indexOf('.') < 0 ? ".0" : "");
        }
    }

    /// @param indent spaces per level; negative for one line
    static Value json(Value value, int indent, Budget budget) {
        var out = new Output(budget);
        json(value, indent, 0, out);
        return out.toText();
    }

    private static void json(Value value, int indent, int level, Output out) {
        switch (value) {
            case Text(String text) -> jsonText(text, out);
            case Int(long number) -> out.add(Long.toString(number));
            case Real(double number) -> real(number, out);
            case Truth(boolean truth) -> out.add(truth ? "true" : "false");
            case None() -> out.add("null");
            case Sequence(List<Value> elements) -> {
                out.budget().enter();
                out.add('[');
                for (int i = 0; i < elements.size(); i++) {
                    separate(i, indent, level, out);
                    json(elements.get(i), indent, level + 1, out);
                }
                end(elements.isEmpty(), indent, level, out);
                out.add(']');
                out.budget().leave();
            }
            case Mapping(Map<Value, Value> entries) -> {
                out.budget().enter();
                int i = 0;
                out.add('{');
                for (var entry : entries.entrySet()) {
                    separate(i++, indent, level, out);
                    jsonText(str(entry.getKey(), out.budget()), out);
                    out.add(": ");
                    json(entry.getValue(), indent, level + 1, out);
                }
                end(entries.isEmpty(), indent, level, out);
                out.add('}');
                out.budget().leave();
            }
            case Value.Undefined _, Value.Function _, Value.Namespace _ ->
                    throw Values.wrongKind(value, "something that JSON can say");
        }
    }

    private static void separate(int index, int indent, int level, Output out) {
        if (index > 0) {
            out.add(indent < 0 ? ", " : ",");
        }
        if (indent >= 0) {
            newline(indent, level + 1, out);
        }
    }

    private static void end(boolean empty, int indent, int level, Output out) {
        if (!empty && indent >= 0) {
            newline(indent, level, out);
        }
    }

    private static void newline(int indent, int level, Output out) {
        out.add('\n');
        for (int i = 0; i < level; i++) {
            out.add(" ".repeat(indent));
        }
    }

    private static void jsonText(String text, Output out) {
        out.add('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.add("\\\"");
                case '\\' -> out.add("\\\\");
                case '\n' -> out.add("\\n");
                case '\r' -> out.add("\\r");
                case '\t' -> out.add("\\t");
                case '\b' -> out.add("\\b");
                case '\f' -> out.add("\\f");
                default -> {
                    if (c < 0x20) {
                        out.add("\\u").addHexadecimal(c, 4);
                    } else {
                        out.add(c);
                    }
                }
            }
        }
        out.add('"');
    }
}
