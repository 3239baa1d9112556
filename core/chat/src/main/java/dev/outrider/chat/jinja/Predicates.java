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

    static boolean holds(String name, Value value, Arguments arguments, Budget budget) {
        return switch (name) {
            case "defined" -> !(value instanceof Undefined);
            case "undefined" -> value instanceof Undefined;
            case "none" -> value instanceof None;
            case "string" -> value instanceof Text;
            case "number" -> Values.isNumber(value);
            case "integer" -> value instanceof Int;
            case "float" -> value instanceof Real;
            case "boolean" -> value instanceof Truth;
            case "true" -> value instanceof Truth(boolean truth) && truth;
            case "false" -> value instanceof Truth(boolean truth) && !truth;
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
            case "lower" -> isLower(Values.toText(value), budget);
            case "upper" -> isUpper(Values.toText(value), budget);
            case "divisibleby" ->
                    Values.equal(
                            Arithmetic.compute("%", value, arguments.get(0, "num"), budget),
                            new Int(0),
                            budget);
            case "equalto", "eq" -> Values.equal(value, arguments.get(0, "other"), budget);
            case "ne" -> !Values.equal(value, arguments.get(0, "other"), budget);
            case "lt", "lessthan" -> Values.compare(value, arguments.get(0, "other"), budget) < 0;
            case "le" -> Values.compare(value, arguments.get(0, "other"), budget) <= 0;
            case "gt", "greaterthan" ->
                    Values.compare(value, arguments.get(0, "other"), budget) > 0;
            case "ge" -> Values.compare(value, arguments.get(0, "other"), budget) >= 0;
            case "in" -> Values.contains(arguments.get(0, "seq"), value, budget);
            case "sameas" -> isSame(value, arguments.get(0, "other"));
            default -> throw new TemplateException("unknown test '%s'".formatted(name));
        };
    }

    /// Lists and dictionaries are identical only if they are the same object, as in Python.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Value value, Value other) {
        boolean container = value instanceof Sequence || value instanceof Mapping;
        return container ? value == other : value.equals(other);
    }

    static boolean isUpper(String text, Budget budget) {
        budget.makeText(text.length());
        return text.equals(text.toUpperCase(Locale.ROOT))
                && text.chars().anyMatch(Character::isLetter);
    }

    static boolean isLower(String text, Budget budget) {
        budget.makeText(text.length());
        return text.equals(text.toLowerCase(Locale.ROOT))
                && text.chars().anyMatch(Character::isLetter);
    }
}
