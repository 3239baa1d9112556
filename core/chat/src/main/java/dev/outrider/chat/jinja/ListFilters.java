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
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The filters that take a list.
final class ListFilters {
    private ListFilters() {}

    static Value apply(String name, Value input, Arguments arguments, Budget budget) {
        return switch (name) {
            case "list" -> new Sequence(Values.elements(input));
            case "first" -> element(input, 0);
            case "last" -> element(input, -1);
            case "join" -> join(input, arguments, budget);
            case "reverse" ->
                    input instanceof Text(String text)
                            ? new Text(new StringBuilder(text).reverse().toString())
                            : new Sequence(Values.elements(input).reversed());
            case "sort" -> sort(input, arguments, budget);
            case "unique" -> unique(input, budget);
            case "sum" -> sum(input, arguments, budget);
            case "min" ->
                    Values.elements(input).stream()
                            .min(Values::compare)
                            .orElse(new Undefined("min"));
            case "max" ->
                    Values.elements(input).stream()
                            .max(Values::compare)
                            .orElse(new Undefined("max"));
            case "map" -> map(input, arguments, budget);
            case "select" -> choose(input, arguments, 0, true, budget);
            case "reject" -> choose(input, arguments, 0, false, budget);
            case "selectattr" -> choose(input, arguments, 1, true, budget);
            case "rejectattr" -> choose(input, arguments, 1, false, budget);
            case "dictsort" -> dictionarySort(input);
            default -> throw new TemplateException("unknown filter '%s'".formatted(name));
        };
    }

    private static Value element(Value input, int index) {
        var elements = Values.elements(input);
        if (elements.isEmpty()) {
            return new Undefined("the element of an empty list");
        }
        return index == 0 ? elements.getFirst() : elements.getLast();
    }

    private static Value join(Value input, Arguments arguments, Budget budget) {
        var elements = Values.elements(input);
        var attribute = arguments.get(1, "attribute", new Undefined("attribute"));
        if (!(attribute instanceof Undefined)) {
            elements =
                    elements.stream().map(element -> dotted(element, attribute, budget)).toList();
        }
        var separator = Printing.str(arguments.get(0, "d", new Text("")));
        return TextMethods.join(separator, elements, budget);
    }

    private static Value sort(Value input, Arguments arguments, Budget budget) {
        boolean descending = Values.isTrue(arguments.get(0, "reverse", new Truth(false)));
        boolean exact = Values.isTrue(arguments.get(1, "case_sensitive", new Truth(false)));
        var attribute = arguments.get(2, "attribute", new Undefined("attribute"));
        Comparator<Value> order =
                Comparator.comparing(
                        element -> {
                            var key =
                                    attribute instanceof Undefined
                                            ? element
                                            : dotted(element, attribute, budget);
                            return !exact && key instanceof Text(String text)
                                    ? new Text(text.toLowerCase(Locale.ROOT))
                                    : key;
                        },
                        Values::compare);
        return new Sequence(
                Values.elements(input).stream()
                        .sorted(descending ? order.reversed() : order)
                        .toList());
    }

    private static Value unique(Value input, Budget budget) {
        var kept = new ArrayList<Value>();
        for (var element : Values.elements(input)) {
            budget.work(1 + kept.size() * element.weight());
            if (kept.stream().noneMatch(other -> Values.equal(other, element))) {
                kept.add(element);
            }
        }
        return new Sequence(kept);
    }

    private static Value sum(Value input, Arguments arguments, Budget budget) {
        var attribute = arguments.get(0, "attribute", new Undefined("attribute"));
        Value sum = arguments.get(1, "start", new Int(0));
        for (var element : Values.elements(input)) {
            var term =
                    attribute instanceof Undefined ? element : dotted(element, attribute, budget);
            sum = Arithmetic.compute("+", sum, term, budget);
        }
        return sum;
    }

    private static Value map(Value input, Arguments arguments, Budget budget) {
        var attribute = arguments.named().get("attribute");
        var otherwise = arguments.named().get("default");
        var results = new ArrayList<Value>();
        for (var element : Values.elements(input)) {
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

    /// @param attributes 1 if the first argument is an attribute, otherwise 0
    private static Value choose(
            Value input, Arguments arguments, int attributes, boolean wanted, Budget budget) {
        var kept = new ArrayList<Value>();
        for (var element : Values.elements(input)) {
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
                                    rest(arguments, attributes + 1));
            if (holds == wanted) {
                kept.add(element);
            }
        }
        return new Sequence(kept);
    }

    /// Tests that operators name.
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

    private static Value dictionarySort(Value input) {
        if (!(input instanceof Mapping(Map<Value, Value> entries, long _))) {
            throw Values.wrongKind(input, "a dictionary");
        }
        return new Sequence(
                entries.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(Values::compare))
                        .map(entry ->
                                (Value) new Sequence(List.of(entry.getKey(), entry.getValue())))
                        .toList());
    }

    /// An attribute such as `function.name`, or an index.
    private static Value dotted(Value element, Value attribute, Budget budget) {
        if (Values.isInteger(attribute)) {
            return Members.subscript(element, attribute, budget);
        }
        var value = element;
        for (var name : Values.toText(attribute).split("\\.")) {
            value = Members.subscript(value, new Text(name), budget);
        }
        return value;
    }
}
