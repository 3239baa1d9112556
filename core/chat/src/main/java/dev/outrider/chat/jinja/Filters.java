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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The filters of `a | …`.
final class Filters {
    private static final int WIDEST_INDENT = 100;

    private static final int LONGEST_NUMBER = 400;

    /// Cost of finding out that a text is not a number, in characters read.
    private static final int LOOKS_OF_A_NUMBER = 1000;

    private Filters() {}

    static Value apply(String name, Value input, Arguments arguments, Budget budget) {
        return switch (name) {
            case "trim" -> trim(input, arguments, budget);
            case "upper" -> budget.text(read(input, budget).toUpperCase(Locale.ROOT));
            case "lower" -> budget.text(read(input, budget).toLowerCase(Locale.ROOT));
            case "title" -> TextMethods.title(read(input, budget), budget);
            case "capitalize" -> TextMethods.capitalize(read(input, budget), budget);
            case "length", "count" -> new Int(length(input, budget));
            case "string" -> new Text(Printing.str(input, budget));
            case "safe" -> input;
            case "escape", "e" -> escape(Printing.str(input, budget), budget);
            case "tojson" ->
                    Printing.json(input, indent(arguments.get(0, "indent", new None())), budget);
            case "default", "d" -> {
                boolean alsoFalse = Values.isTrue(arguments.get(1, "boolean", new Truth(false)));
                boolean missing = input instanceof Undefined || alsoFalse && !Values.isTrue(input);
                yield missing ? arguments.get(0, "default_value", new Text("")) : input;
            }
            case "replace" ->
                    TextMethods.replace(
                            Printing.str(input, budget),
                            Printing.str(arguments.get(0, "old"), budget),
                            Printing.str(arguments.get(1, "new"), budget),
                            Values.toInt(arguments.get(2, "count", new Int(-1))),
                            budget);
            case "indent" -> indented(Printing.str(input, budget), arguments, budget);
            case "int" -> integer(input, arguments, budget);
            case "float" -> real(input, arguments, budget);
            case "abs" -> absolute(input);
            case "round" -> round(input, arguments);
            case "items" ->
                    input instanceof Mapping mapping
                            ? Members.items(mapping, budget)
                            : items(input);
            case "list" -> new Sequence(Values.elements(input, budget));
            case "first" -> element(input, 0, budget);
            case "last" -> element(input, -1, budget);
            case "join" -> join(input, arguments, budget);
            case "reverse" -> reverse(input, budget);
            case "sort" -> sort(input, arguments, budget);
            case "unique" -> unique(input, budget);
            case "sum" -> sum(input, arguments, budget);
            case "min", "max" -> {
                Comparator<Value> order = (a, b) -> Values.compare(a, b, budget);
                yield Values.elements(input, budget).stream()
                        .max(name.equals("max") ? order : order.reversed())
                        .orElse(new Undefined(name));
            }
            case "map" -> map(input, arguments, budget);
            case "select" -> choose(input, arguments, 0, true, budget);
            case "reject" -> choose(input, arguments, 0, false, budget);
            case "selectattr" -> choose(input, arguments, 1, true, budget);
            case "rejectattr" -> choose(input, arguments, 1, false, budget);
            case "dictsort" -> dictionarySort(input, budget);
            default -> throw new TemplateException("unknown filter '%s'".formatted(name));
        };
    }

    /// Returns the value as a text and charges for reading it completely.
    private static String read(Value input, Budget budget) {
        var text = Printing.str(input, budget);
        budget.work(text.length());
        return text;
    }

    private static Value trim(Value input, Arguments arguments, Budget budget) {
        return TextMethods.strip(Printing.str(input, budget), arguments, true, true, budget);
    }

    private static long length(Value input, Budget budget) {
        if (input instanceof Text(String text)) {
            budget.work(text.length());
            return text.codePointCount(0, text.length());
        }
        if (input instanceof Mapping(Map<Value, Value> entries)) {
            return entries.size();
        }
        if (input instanceof None) {
            throw Values.wrongKind(input, "something with a length");
        }
        return Values.elements(input, budget).size();
    }

    private static Value items(Value input) {
        if (input instanceof Undefined) {
            return new Sequence(List.of());
        }
        throw Values.wrongKind(input, "a dictionary");
    }

    private static Value absolute(Value input) {
        if (!(input instanceof Int(long number))) {
            return new Real(Math.abs(Values.toDouble(input)));
        }
        if (number == Long.MIN_VALUE) {
            throw new TemplateException(
                    "the absolute value of %d takes more than 64 bits".formatted(number));
        }
        return new Int(Math.abs(number));
    }

    private static Value escape(String text, Budget budget) {
        var out = new Printing.Output(budget);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.add("&amp;");
                case '<' -> out.add("&lt;");
                case '>' -> out.add("&gt;");
                case '\'' -> out.add("&#39;");
                case '"' -> out.add("&#34;");
                default -> out.add(c);
            }
        }
        return out.toText();
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

    /// Indents all lines except the first one and empty ones.
    private static Value indented(String text, Arguments arguments, Budget budget) {
        var width = arguments.get(0, "width", new Int(4));
        var margin = width instanceof Text(String given) ? given : " ".repeat(indent(width));
        boolean first = Values.isTrue(arguments.get(1, "first", new Truth(false)));
        boolean blank = Values.isTrue(arguments.get(2, "blank", new Truth(false)));
        var out = new Printing.Output(budget);
        for (int start = 0; start <= text.length(); ) {
            int newline = text.indexOf('\n', start);
            int end = newline < 0 ? text.length() : newline;
            boolean counts = start > 0 || first;
            if (counts && (blank || end > start)) {
                out.add(margin);
            }
            out.add(text, start, newline < 0 ? end : end + 1);
            start = end + 1;
        }
        return out.toText();
    }

    private static Value integer(Value input, Arguments arguments, Budget budget) {
        if (Values.isInteger(input)) {
            return new Int(Values.toLong(input));
        }
        if (input instanceof Real(double number)) {
            return new Int((long) number);
        }
        var otherwise = arguments.get(0, "default", new Int(0));
        try {
            return digits(input, budget)
                    .map(text -> (Value) new Int(Long.parseLong(text)))
                    .orElse(otherwise);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    private static Value real(Value input, Arguments arguments, Budget budget) {
        if (Values.isNumber(input)) {
            return new Real(Values.toDouble(input));
        }
        var otherwise = arguments.get(0, "default", new Real(0));
        try {
            return digits(input, budget)
                    .map(text -> (Value) new Real(Double.parseDouble(text)))
                    .orElse(otherwise);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /// Returns the text of a possible number, or nothing if it is too long to be one.
    private static Optional<String> digits(Value input, Budget budget) {
        var text = TextMethods.stripped(Printing.str(input, budget), budget);
        budget.work(LOOKS_OF_A_NUMBER);
        budget.make(Budget.Footprint.NUMBER);
        return Optional.of(text).filter(given -> given.length() <= LONGEST_NUMBER);
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
                results.add(apply(filter, element, rest(arguments, 1), budget));
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
                                    Values.toText(arguments.positional().get(attributes)),
                                    subject,
                                    rest(arguments, attributes + 1),
                                    budget);
            if (holds == wanted) {
                kept.add(element);
            }
        }
        return new Sequence(kept);
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
