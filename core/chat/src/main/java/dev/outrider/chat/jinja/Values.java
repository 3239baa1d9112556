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

/// What Python says about values: truth, equality, order, kinds, elements.
public final class Values {
    private Values() {}

    /// The value of a JSON tree.
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
            case Sequence(List<Value> elements, long _) -> !elements.isEmpty();
            case Mapping(Map<Value, Value> entries, long _) -> !entries.isEmpty();
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
            case Text _,
                    None _,
                    Value.Undefined _,
                    Sequence _,
                    Mapping _,
                    Value.Function _,
                    Value.Namespace _ ->
                    throw wrongKind(value, "a number");
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

    static boolean equal(Value left, Value right) {
        if (isNumber(left) && isNumber(right)) {
            return isInteger(left) && isInteger(right)
                    ? toLong(left) == toLong(right)
                    : toDouble(left) == toDouble(right);
        }
        if (left instanceof Value.Undefined && right instanceof Value.Undefined) {
            return true;
        }
        if (left instanceof Sequence(List<Value> a, long _)
                && right instanceof Sequence(List<Value> b, long _)) {
            boolean same = a.size() == b.size();
            for (int i = 0; same && i < a.size(); i++) {
                same = equal(a.get(i), b.get(i));
            }
            return same;
        }
        return left.equals(right);
    }

    static int compare(Value left, Value right) {
        if (isNumber(left) && isNumber(right)) {
            return Double.compare(toDouble(left), toDouble(right));
        }
        if (left instanceof Text(String a) && right instanceof Text(String b)) {
            return a.compareTo(b);
        }
        throw new TemplateException("%s and %s have no order".formatted(kind(left), kind(right)));
    }

    static boolean contains(Value container, Value wanted) {
        return switch (container) {
            case Text(String text) -> text.contains(toText(wanted));
            case Sequence(List<Value> elements, long _) ->
                    elements.stream().anyMatch(element -> equal(element, wanted));
            case Mapping(Map<Value, Value> entries, long _) -> entries.containsKey(wanted);
            case Value.Undefined _ -> false;
            case Int _, Real _, Truth _, None _, Value.Function _, Value.Namespace _ ->
                    throw wrongKind(container, "a container");
        };
    }

    /// Characters of a string or elements of a container, what is in them not counted; otherwise 1.
    static long size(Value value) {
        return switch (value) {
            case Text(String text) -> text.length();
            case Sequence(List<Value> elements, long _) -> elements.size();
            case Mapping(Map<Value, Value> entries, long _) -> entries.size();
            case Int _,
                    Real _,
                    Truth _,
                    None _,
                    Value.Undefined _,
                    Value.Function _,
                    Value.Namespace _ ->
                    1;
        };
    }

    /// What a loop goes through.
    static List<Value> elements(Value value) {
        return switch (value) {
            case Sequence(List<Value> elements, long _) -> elements;
            case Mapping(Map<Value, Value> entries, long _) -> List.copyOf(entries.keySet());
            case Text(String text) ->
                    text.codePoints()
                            .mapToObj(point -> (Value) new Text(Character.toString(point)))
                            .toList();
            case Value.Undefined _ -> List.of();
            case Int _, Real _, Truth _, None _, Value.Function _, Value.Namespace _ ->
                    throw wrongKind(value, "something to loop over");
        };
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
