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

/// The tests of `a is …` and the comparisons of two values.
final class Predicates {
    static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");

    private static final Set<String> WITH_ARGUMENT =
            Set.of(
                    "divisibleby equalto eq ne lt le gt ge lessthan greaterthan in sameas"
                            .split(" ", -1));

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
            case "sequence" -> hasElements(value);
            case "iterable" -> hasElements(value) || value instanceof Undefined;
            case "callable" -> value instanceof Value.Function;
            case "odd" -> Math.floorMod(Values.toLong(value), 2) == 1;
            case "even" -> Math.floorMod(Values.toLong(value), 2) == 0;
            case "lower", "upper" -> hasCase(name, Values.toText(value), budget);
            case "divisibleby" -> compare(name, value, arguments.get(0, "num"), budget);
            case "in" -> compare(name, value, arguments.get(0, "seq"), budget);
            default -> {
                if (!takesArgument(name) && !COMPARISONS.contains(name)) {
                    throw new TemplateException("unknown test '%s'".formatted(name));
                }
                yield compare(name, value, arguments.get(0, "other"), budget);
            }
        };
    }

    /// @param relation an operator or a test with an argument
    static boolean compare(String relation, Value left, Value right, Budget budget) {
        return switch (relation) {
            case "==", "eq", "equalto" -> Values.equal(left, right, budget);
            case "!=", "ne" -> !Values.equal(left, right, budget);
            case "<", "lt", "lessthan" -> Values.compare(left, right, budget) < 0;
            case "<=", "le" -> Values.compare(left, right, budget) <= 0;
            case ">", "gt", "greaterthan" -> Values.compare(left, right, budget) > 0;
            case ">=", "ge" -> Values.compare(left, right, budget) >= 0;
            case "in" -> Values.contains(right, left, budget);
            case "not in" -> !Values.contains(right, left, budget);
            case "sameas" -> isSame(left, right);
            case "divisibleby" -> {
                var rest = Arithmetic.compute("%", left, right, budget);
                yield Values.equal(rest, new Int(0), budget);
            }
            default -> throw new TemplateException("unknown operator '%s'".formatted(relation));
        };
    }

    private static boolean hasElements(Value value) {
        return value instanceof Sequence || value instanceof Mapping || value instanceof Text;
    }

    /// Lists and dictionaries are identical only if they are the same object, as in Python.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Value value, Value other) {
        boolean container = value instanceof Sequence || value instanceof Mapping;
        return container ? value == other : value.equals(other);
    }

    /// Returns whether a text has letters, all of them in one case.
    ///
    /// @param name `lower` or `upper`
    static boolean hasCase(String name, String text, Budget budget) {
        budget.makeText(text.length());
        var changed =
                name.equals("upper")
                        ? text.toUpperCase(Locale.ROOT)
                        : text.toLowerCase(Locale.ROOT);
        return text.equals(changed) && text.chars().anyMatch(Character::isLetter);
    }
}
