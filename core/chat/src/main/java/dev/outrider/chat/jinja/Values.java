package dev.outrider.chat.jinja;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Mapping;
import dev.outrider.chat.jinja.Value.None;
import dev.outrider.chat.jinja.Value.Real;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import dev.outrider.chat.jinja.Value.Truth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Python's truth, equality, order, types and elements of values.
public final class Values {
    /// Cost of comparing two numbers.
    private static final int LOOKS_OF_A_COMPARISON = 4;

    private Values() {}

    /// Returns the value of a JSON tree.
    public static Value of(JsonNode node) {
        if (node.isTextual()) {
            return new Text(node.textValue());
        }
        if (node.isBoolean()) {
            return new Truth(node.booleanValue());
        }
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return new Int(node.longValue());
        }
        if (node.isNumber()) {
            return new Real(node.doubleValue());
        }
        if (node.isArray()) {
            var elements = new ArrayList<Value>();
            node.forEach(element -> elements.add(of(element)));
            return new Sequence(elements);
        }
        if (node.isObject()) {
            var entries = new LinkedHashMap<Value, Value>();
            node.properties()
                    .forEach(entry -> entries.put(new Text(entry.getKey()), of(entry.getValue())));
            return new Mapping(entries);
        }
        return new None();
    }

    static boolean isTrue(Value value) {
        return switch (value) {
            case Text(String text) -> !text.isEmpty();
            case Int(long number) -> number != 0;
            case Real(double number) -> number != 0;
            case Truth(boolean truth) -> truth;
            case None() -> false;
            case Value.Undefined _ -> false;
            case Sequence(List<Value> elements) -> !elements.isEmpty();
            case Mapping(Map<Value, Value> entries) -> !entries.isEmpty();
            case Value.Function _, Value.Namespace _ -> true;
        };
    }

    static boolean isNumber(Value value) {
        return value instanceof Int || value instanceof Real || value instanceof Truth;
    }

    static double toDouble(Value value) {
        return switch (value) {
            case Int(long number) -> number;
            case Real(double number) -> number;
            case Truth(boolean truth) -> truth ? 1 : 0;
            default -> throw wrongKind(value, "a number");
        };
    }

    static boolean isInteger(Value value) {
        return value instanceof Int || value instanceof Truth;
    }

    static long toLong(Value value) {
        if (!isInteger(value)) {
            throw wrongKind(value, "an integer");
        }
        return value instanceof Int(long number) ? number : (long) toDouble(value);
    }

    static int toInt(Value value) {
        return Math.clamp(toLong(value), Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    static String toText(Value value) {
        if (value instanceof Text(String text)) {
            return text;
        }
        throw wrongKind(value, "a string");
    }

    static boolean equal(Value left, Value right, Budget budget) {
        budget.work(LOOKS_OF_A_COMPARISON);
        if (isNumber(left) && isNumber(right)) {
            return isInteger(left) && isInteger(right)
                    ? toLong(left) == toLong(right)
                    : toDouble(left) == toDouble(right);
        }
        if (left instanceof Text(String a) && right instanceof Text(String b)) {
            budget.work(a.length() == b.length() ? a.length() : 0);
            return a.equals(b);
        }
        if (left instanceof Value.Undefined && right instanceof Value.Undefined) {
            return true;
        }
        if (left instanceof Sequence(List<Value> a) && right instanceof Sequence(List<Value> b)) {
            budget.enter();
            boolean same = a.size() == b.size();
            for (int i = 0; same && i < a.size(); i++) {
                same = equal(a.get(i), b.get(i), budget);
            }
            budget.leave();
            return same;
        }
        if (left instanceof Mapping(Map<Value, Value> a)
                && right instanceof Mapping(Map<Value, Value> b)) {
            budget.enter();
            boolean same = a.size() == b.size();
            for (var entries = a.entrySet().iterator(); same && entries.hasNext(); ) {
                var entry = entries.next();
                var other = b.get(entry.getKey());
                same = other != null && equal(entry.getValue(), other, budget);
            }
            budget.leave();
            return same;
        }
        return left.equals(right);
    }

    static int compare(Value left, Value right, Budget budget) {
        budget.work(LOOKS_OF_A_COMPARISON);
        if (isNumber(left) && isNumber(right)) {
            return Double.compare(toDouble(left), toDouble(right));
        }
        if (left instanceof Text(String a) && right instanceof Text(String b)) {
            budget.work(Math.min(a.length(), b.length()));
            return a.compareTo(b);
        }
        throw new TemplateException("%s and %s have no order".formatted(kind(left), kind(right)));
    }

    static boolean contains(Value container, Value wanted, Budget budget) {
        return switch (container) {
            case Text(String text) -> TextSearch.contains(text, toText(wanted), budget);
            case Sequence(List<Value> elements) -> {
                boolean found = false;
                for (int i = 0; !found && i < elements.size(); i++) {
                    found = equal(elements.get(i), wanted, budget);
                }
                yield found;
            }
            case Mapping(Map<Value, Value> entries) -> entries.containsKey(requireKey(wanted));
            case Value.Undefined _ -> false;
            default -> throw wrongKind(container, "a container");
        };
    }

    /// Requires a value that can be a key: no list and no dictionary.
    static Value requireKey(Value key) {
        if (key instanceof Sequence || key instanceof Mapping) {
            throw wrongKind(key, "a key");
        }
        return key;
    }

    /// Returns the elements that a loop iterates over.
    static List<Value> elements(Value value, Budget budget) {
        return switch (value) {
            case Sequence(List<Value> elements) -> elements;
            case Mapping(Map<Value, Value> entries) -> {
                budget.makeList(entries.size());
                yield List.copyOf(entries.keySet());
            }
            case Text(String text) -> letters(text, budget);
            case Value.Undefined _ -> List.of();
            default -> throw wrongKind(value, "something to loop over");
        };
    }

    /// Returns the characters of a string, each as a string.
    private static List<Value> letters(String text, Budget budget) {
        budget.makeList(text.length());
        var letters = new ArrayList<Value>();
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            budget.make(Budget.Footprint.LETTER);
            letters.add(new Text(Character.toString(text.codePointAt(at))));
        }
        return letters;
    }

    static TemplateException wrongKind(Value value, String expected) {
        return new TemplateException("%s where %s is expected".formatted(kind(value), expected));
    }

    static String kind(Value value) {
        return switch (value) {
            case Text _ -> "a string";
            case Int _ -> "an integer";
            case Real _ -> "a number";
            case Truth _ -> "a truth value";
            case None _ -> "None";
            case Value.Undefined(String name) -> "'%s', which is undefined,".formatted(name);
            case Sequence _ -> "a list";
            case Mapping _ -> "a dictionary";
            case Value.Function _ -> "a function";
            case Value.Namespace _ -> "a namespace";
        };
    }
}
