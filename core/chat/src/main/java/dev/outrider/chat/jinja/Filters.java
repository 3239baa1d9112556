package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Mapping;
import dev.outrider.chat.jinja.Value.None;
import dev.outrider.chat.jinja.Value.Real;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import dev.outrider.chat.jinja.Value.Truth;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The filters of `a | …`.
final class Filters {
    private static final int WIDEST_INDENT = 100;

    private Filters() {}

    static Value apply(String name, Value input, Arguments arguments, Budget budget) {
        budget.work(Values.size(input));
        return switch (name) {
            case "trim" -> new Text(trim(input, arguments));
            case "upper" -> new Text(Printing.str(input).toUpperCase(Locale.ROOT));
            case "lower" -> new Text(Printing.str(input).toLowerCase(Locale.ROOT));
            case "title" -> new Text(TextMethods.title(Printing.str(input)));
            case "capitalize" -> new Text(TextMethods.capitalize(Printing.str(input)));
            case "length", "count" -> new Int(length(input));
            case "string" -> new Text(Printing.str(input));
            case "safe" -> input;
            case "escape", "e" -> new Text(escape(Printing.str(input)));
            case "tojson" ->
                    new Text(Printing.json(input, indent(arguments.get(0, "indent", new None()))));
            case "default", "d" -> {
                boolean alsoFalse = Values.isTrue(arguments.get(1, "boolean", new Truth(false)));
                boolean missing = input instanceof Undefined || alsoFalse && !Values.isTrue(input);
                yield missing ? arguments.get(0, "default_value", new Text("")) : input;
            }
            case "replace" ->
                    TextMethods.replace(
                            Printing.str(input),
                            Printing.str(arguments.get(0, "old")),
                            Printing.str(arguments.get(1, "new")),
                            Values.toInt(arguments.get(2, "count", new Int(-1))),
                            budget);
            case "indent" -> indented(Printing.str(input), arguments, budget);
            case "int" -> integer(input, arguments);
            case "float" -> real(input, arguments);
            case "abs" ->
                    input instanceof Int(long number)
                            ? new Int(Math.abs(number))
                            : new Real(Math.abs(Values.toDouble(input)));
            case "round" -> round(input, arguments);
            case "items" ->
                    input instanceof Mapping mapping ? Members.items(mapping) : items(input);
            default -> ListFilters.apply(name, input, arguments, budget);
        };
    }

    private static String trim(Value input, Arguments arguments) {
        var characters = arguments.get(0, "chars", new None());
        return characters instanceof None
                ? TextMethods.strip(Printing.str(input), Character::isWhitespace, true, true)
                : TextMethods.strip(
                        Printing.str(input),
                        point -> Values.toText(characters).indexOf(point) >= 0,
                        true,
                        true);
    }

    private static long length(Value input) {
        if (input instanceof None) {
            throw Values.wrongKind(input, "something with a length");
        }
        return input instanceof Text(String text)
                ? text.codePointCount(0, text.length())
                : Values.elements(input).size();
    }

    private static Value items(Value input) {
        if (input instanceof Undefined) {
            return new Sequence(List.of());
        }
        throw Values.wrongKind(input, "a dictionary");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;")
                .replace("\"", "&#34;");
    }

    private static int indent(Value value) {
        if (value instanceof None) {
            return -1;
        }
        int indent = Values.toInt(value);
        if (indent < 0 || indent > WIDEST_INDENT) {
            throw new TemplateException(
                    "an indent of %d; expected 0 to %d".formatted(indent, WIDEST_INDENT));
        }
        return indent;
    }

    /// Indents all lines but the first and empty ones.
    private static Value indented(String text, Arguments arguments, Budget budget) {
        var width = arguments.get(0, "width", new Int(4));
        var margin = width instanceof Text(String given) ? given : " ".repeat(indent(width));
        boolean first = Values.isTrue(arguments.get(1, "first", new Truth(false)));
        boolean blank = Values.isTrue(arguments.get(2, "blank", new Truth(false)));
        var lines = new ArrayList<>(List.of(text.split("\n", -1)));
        budget.use(text.length() + (long) lines.size() * margin.length());
        for (int i = first ? 0 : 1; i < lines.size(); i++) {
            if (blank || !lines.get(i).isEmpty()) {
                lines.set(i, margin + lines.get(i));
            }
        }
        return new Text(String.join("\n", lines));
    }

    private static Value integer(Value input, Arguments arguments) {
        if (Values.isInteger(input)) {
            return new Int(Values.toLong(input));
        }
        if (input instanceof Real(double number)) {
            return new Int((long) number);
        }
        try {
            return new Int(Long.parseLong(Printing.str(input).strip()));
        } catch (NumberFormatException e) {
            return arguments.get(0, "default", new Int(0));
        }
    }

    private static Value real(Value input, Arguments arguments) {
        if (Values.isNumber(input)) {
            return new Real(Values.toDouble(input));
        }
        try {
            return new Real(Double.parseDouble(Printing.str(input).strip()));
        } catch (NumberFormatException e) {
            return arguments.get(0, "default", new Real(0));
        }
    }

    private static Value round(Value input, Arguments arguments) {
        int digits = Math.clamp(Values.toInt(arguments.get(0, "precision", new Int(0))), 0, 15);
        var method = Values.toText(arguments.get(1, "method", new Text("common")));
        double scale = Math.pow(10, digits);
        double scaled = Values.toDouble(input) * scale;
        return switch (method) {
            case "common" -> new Real(Math.rint(scaled) / scale);
            case "ceil" -> new Real(Math.ceil(scaled) / scale);
            case "floor" -> new Real(Math.floor(scaled) / scale);
            default -> throw new TemplateException("unknown way '%s' to round".formatted(method));
        };
    }
}
