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
import java.util.Locale;
import java.util.Set;

/// The tests of `a is …`.
final class Predicates {
    private static final Set<String> WITH_ARGUMENT =
            Set.of(
                    "divisibleby",
                    "equalto",
                    "eq",
                    "ne",
                    "lt",
                    "le",
                    "gt",
                    "ge",
                    "lessthan",
                    "greaterthan",
                    "in",
                    "sameas");

    private Predicates() {}

    static boolean takesArgument(String name) {
        return WITH_ARGUMENT.contains(name);
    }

    static boolean holds(String name, Value value, Arguments arguments) {
        return switch (name) {
            case "defined" -> !(value instanceof Undefined);
            case "undefined" -> value instanceof Undefined;
            case "none" -> value instanceof None;
            case "string" -> value instanceof Text;
            case "number" -> Values.isNumber(value);
            case "integer" -> value instanceof Int;
            case "float" -> value instanceof Real;
            case "boolean" -> value instanceof Truth;
            case "true" -> value.equals(new Truth(true));
            case "false" -> value.equals(new Truth(false));
            case "mapping" -> value instanceof Mapping;
            case "sequence" ->
                    value instanceof Sequence || value instanceof Mapping || value instanceof Text;
            case "iterable" ->
                    value instanceof Sequence
                            || value instanceof Mapping
                            || value instanceof Text
                            || value instanceof Undefined;
            case "callable" -> value instanceof Value.Function;
            case "odd" -> Math.floorMod(Values.toLong(value), 2) == 1;
            case "even" -> Math.floorMod(Values.toLong(value), 2) == 0;
            case "lower" -> isLower(Values.toText(value));
            case "upper" -> isUpper(Values.toText(value));
            case "divisibleby" ->
                    Values.equal(
                            Arithmetic.compute("%", value, arguments.get(0, "num"), new Budget()),
                            new Int(0));
            case "equalto", "eq" -> Values.equal(value, arguments.get(0, "other"));
            case "ne" -> !Values.equal(value, arguments.get(0, "other"));
            case "lt", "lessthan" -> Values.compare(value, arguments.get(0, "other")) < 0;
            case "le" -> Values.compare(value, arguments.get(0, "other")) <= 0;
            case "gt", "greaterthan" -> Values.compare(value, arguments.get(0, "other")) > 0;
            case "ge" -> Values.compare(value, arguments.get(0, "other")) >= 0;
            case "in" -> Values.contains(arguments.get(0, "seq"), value);
            case "sameas" -> value.equals(arguments.get(0, "other"));
            default -> throw new TemplateException("unknown test '%s'".formatted(name));
        };
    }

    static boolean isUpper(String text) {
        return text.equals(text.toUpperCase(Locale.ROOT))
                && text.chars().anyMatch(Character::isLetter);
    }

    static boolean isLower(String text) {
        return text.equals(text.toLowerCase(Locale.ROOT))
                && text.chars().anyMatch(Character::isLetter);
    }
}
