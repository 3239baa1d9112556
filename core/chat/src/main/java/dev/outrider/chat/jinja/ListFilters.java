package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Mapping;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import dev.outrider.chat.jinja.Value.Truth;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;

/// Filters of lists.
final class ListFilters {
    private ListFilters() {}

    static Value apply(String name, Value input, Arguments arguments, Budget budget) {
        return switch (name) {
            case "list" -> new Sequence(Values.elements(input, budget));
            case "first" -> element(input, 0, budget);
            case "last" -> element(input, -1, budget);
            case "join" -> join(input, arguments, budget);
            case "reverse" -> reverse(input, budget);
            case "sort" -> sort(input, arguments, budget);
            case "unique" -> unique(input, budget);
            case "sum" -> sum(input, arguments, budget);
            case "min" ->
                    Values.elements(input, budget).stream()
                            .min((a, b) -> Values.compare(a, b, budget))
                            .orElse(new Undefined("min"));
            case "max" ->
                    Values.elements(input, budget).stream()
                            .max((a, b) -> Values.compare(a, b, budget))
                            .orElse(new Undefined("max"));
            case "map" -> map(input, arguments, budget);
            case "select" -> choose(input, arguments, 0, true, budget);
            case "reject" -> choose(input, arguments, 0, false, budget);
            case "selectattr" -> choose(input, arguments, 1, true, budget);
            case "rejectattr" -> choose(input, arguments, 1, false, budget);
            case "dictsort" -> dictionarySort(input, budget);
            default -> throw new TemplateException("unknown filter '%s'".formatted(name));
        };
    }

    private static Value element(Value input, int index, Budget budget) {
        if (input instanceof Text) {
            var letter = Members.subscript(input, new Int(index), budget);
            return letter instanceof Text ? letter : none();
        }
        var elements = Values.elements(input, budget);
        if (elements.isEmpty()) {
            return none();
        }
        return index == 0 ? elements.getFirst() : elements.getLast();
    }

    private static Value none() {
        return new Undefined("the element of an empty list");
    }

    private static Value reverse(Value input, Budget budget) {
        if (input instanceof Text(String text)) {
            budget.makeText(text.length());
            return new Text(new StringBuilder(text).reverse().toString());
        }
        var elements = Values.elements(input, budget);
        budget.makeList(elements.size());
        return new Sequence(elements.reversed());
    }

    private static Value join(Value input, Arguments arguments, Budget budget) {
        var elements = Values.elements(input, budget);
        var attribute = arguments.get(1, "attribute", new Undefined("attribute"));
        if (!(attribute instanceof Undefined)) {
            budget.makeList(elements.size());
            elements =
                    elements.stream().map(element -> dotted(element, attribute, budget)).toList();
        }
        var separator = Printing.str(arguments.get(0, "d", new Text("")), budget);
        return TextMethods.join(separator, elements, budget);
    }

    /// An element with its sort key.
    private record Keyed(Value key, Value element) {}

    private static Value sort(Value input, Arguments arguments, Budget budget) {
        boolean descending = Values.isTrue(arguments.get(0, "reverse", new Truth(false)));
        boolean exact = Values.isTrue(arguments.get(1, "case_sensitive", new Truth(false)));
        var attribute = arguments.get(2, "attribute", new Undefined("attribute"));
        Comparator<Keyed> order =
                Comparator.comparing(Keyed::key, (a, b) -> Values.compare(a, b, budget));
        var elements = Values.elements(input, budget);
        budget.makeList(3L * elements.size());
        return new Sequence(
                elements.stream()
                        .map(element -> new Keyed(key(element, attribute, exact, budget), element))
                        .sorted(descending ? order.reversed() : order)
                        .map(Keyed::element)
                        .toList());
    }

    private static Value key(Value element, Value attribute, boolean exact, Budget budget) {
        var key = attribute instanceof Undefined ? element : dotted(element, attribute, budget);
        return !exact && key instanceof Text(String text)
                ? budget.text(text.toLowerCase(Locale.ROOT))
                : key;
    }

    private static Value unique(Value input, Budget budget) {
        var elements = Values.elements(input, budget);
        budget.makeList(elements.size());
        var kept = new ArrayList<Value>();
        for (var element : elements) {
            if (kept.stream().noneMatch(other -> Values.equal(other, element, budget))) {
                kept.add(element);
            }
        }
        return new Sequence(kept);
    }

    private static Value sum(Value input, Arguments arguments, Budget budget) {
        var attribute = arguments.get(0, "attribute", new Undefined("attribute"));
        Value sum = arguments.get(1, "start", new Int(0));
        for (var element : Values.elements(input, budget)) {
            budget.step();
            var term =
                    attribute instanceof Undefined ? element : dotted(element, attribute, budget);
            sum = Arithmetic.compute("+", sum, term, budget);
        }
        return sum;
    }

    private static Value map(Value input, Arguments arguments, Budget budget) {
        var attribute = arguments.named().get("attribute");
        var otherwise = arguments.named().get("default");
        var elements = Values.elements(input, budget);
        budget.makeList(elements.size());
        var results = new ArrayList<Value>();
        for (var element : elements) {
            budget.step();
            if (attribute == null) {
                var filter = Values.toText(arguments.get(0, "filter"));
                results.add(Filters.apply(filter, element, rest(arguments, 1), budget));
            } else {
                var value = dotted(element, attribute, budget);
                results.add(value instanceof Undefined && otherwise != null ? otherwise : value);
            }
        }
        return new Sequence(results);
    }

    /// @param attributes 1 if the first argument is an attribute, else 0
    private static Value choose(
            Value input, Arguments arguments, int attributes, boolean wanted, Budget budget) {
        var elements = Values.elements(input, budget);
        budget.makeList(elements.size());
        var kept = new ArrayList<Value>();
        for (var element : elements) {
            budget.step();
            var subject =
                    attributes == 0
                            ? element
                            : dotted(element, arguments.get(0, "attribute"), budget);
            boolean holds =
                    arguments.positional().size() <= attributes
                            ? Values.isTrue(subject)
                            : Predicates.holds(
                                    test(Values.toText(arguments.positional().get(attributes))),
                                    subject,
                                    rest(arguments, attributes + 1),
                                    budget);
            if (holds == wanted) {
                kept.add(element);
            }
        }
        return new Sequence(kept);
    }

    /// Returns the name of the test for an operator.
    private static String test(String name) {
        return switch (name) {
            case "==" -> "eq";
            case "!=" -> "ne";
            case "<" -> "lt";
            case "<=" -> "le";
            case ">" -> "gt";
            case ">=" -> "ge";
            default -> name;
        };
    }

    private static Arguments rest(Arguments arguments, int from) {
        var positional = arguments.positional();
        return new Arguments(
                positional.subList(Math.min(from, positional.size()), positional.size()),
                arguments.named());
    }

    private static Value dictionarySort(Value input, Budget budget) {
        if (!(input instanceof Mapping(Map<Value, Value> entries))) {
            throw Values.wrongKind(input, "a dictionary");
        }
        Comparator<Value> order = (a, b) -> Values.compare(a, b, budget);
        budget.makeList(entries.size());
        return Members.pairs(
                entries.entrySet().stream().sorted(Map.Entry.comparingByKey(order)).toList(),
                budget);
    }

    /// Returns an attribute such as `function.name`, or the element at an index.
    private static Value dotted(Value element, Value attribute, Budget budget) {
        if (Values.isInteger(attribute)) {
            return Members.subscript(element, attribute, budget);
        }
        var path = Values.toText(attribute);
        var value = element;
        budget.makeText(path.length());
        for (var name : path.split("\\.")) {
            budget.step();
            value = Members.subscript(value, new Text(name), budget);
        }
        return value;
    }
}
