package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Function;
import dev.outrider.chat.jinja.Value.Mapping;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Methods, keys and indices of values. `a.b` tries a method first and then a key; `a['b']` tries a
/// key first.
final class Members {
    private Members() {}

    static Value attribute(Value object, String name, Budget budget) {
        return method(object, name)
                .map(callable -> {
                    budget.make(Budget.Footprint.FUNCTION);
                    return (Value) new Function(name, callable);
                })
                .orElseGet(() -> key(object, name));
    }

    static Value subscript(Value object, Value index, Budget budget) {
        return switch (object) {
            case Mapping mapping -> {
                var value = mapping.entries().get(Values.requireKey(index));
                if (value == null) {
                    yield index instanceof Text(String name)
                            ? attribute(mapping, name, budget)
                            : new Undefined(Printing.str(index, budget));
                }
                yield value;
            }
            case Sequence(List<Value> elements) when Values.isInteger(index) -> {
                int wanted = Values.toInt(index);
                int absolute = wanted < 0 ? wanted + elements.size() : wanted;
                yield absolute >= 0 && absolute < elements.size()
                        ? elements.get(absolute)
                        : new Undefined("element " + wanted);
            }
            case Text(String text) when Values.isInteger(index) ->
                    letter(text, Values.toInt(index), budget);
            default -> attribute(object, Printing.str(index, budget), budget);
        };
    }

    private static Value letter(String text, int wanted, Budget budget) {
        budget.work(text.length());
        int size = text.codePointCount(0, text.length());
        int absolute = wanted < 0 ? wanted + size : wanted;
        return absolute >= 0 && absolute < size
                ? budget.text(
                        Character.toString(text.codePointAt(text.offsetByCodePoints(0, absolute))))
                : new Undefined("element " + wanted);
    }

    private static Value key(Value object, String name) {
        return switch (object) {
            case Mapping mapping -> mapping.get(name);
            case Value.Namespace namespace -> namespace.get(name);
            case Undefined(String what) ->
                    throw new TemplateException(
                            "'%s' is undefined, so it has no '%s'".formatted(what, name));
            default -> new Undefined(name);
        };
    }

    private static Optional<Value.Callable> method(Value object, String name) {
        return switch (object) {
            case Text(String text) -> TextMethods.of(text, name);
            case Mapping mapping -> mappingMethod(mapping, name);
            case Sequence(List<Value> elements) -> sequenceMethod(elements, name);
            default -> Optional.empty();
        };
    }

    private static Optional<Value.Callable> mappingMethod(Mapping mapping, String name) {
        return switch (name) {
            case "items" -> Optional.of((_, budget) -> items(mapping, budget));
            case "keys" ->
                    Optional.of((_, budget) -> new Sequence(Values.elements(mapping, budget)));
            case "values" ->
                    Optional.of((_, budget) -> {
                        budget.makeList(mapping.entries().size());
                        return new Sequence(List.copyOf(mapping.entries().values()));
                    });
            case "get" ->
                    Optional.of((arguments, _) ->
                            mapping.entries()
                                    .getOrDefault(
                                            Values.requireKey(arguments.get(0, "key")),
                                            arguments.get(1, "default", new Value.None())));
            default -> Optional.empty();
        };
    }

    /// Returns the entries as pairs.
    static Sequence items(Mapping mapping, Budget budget) {
        return pairs(mapping.entries().entrySet(), budget);
    }

    /// Returns keys with their values, each as a list of two.
    static Sequence pairs(Collection<Map.Entry<Value, Value>> entries, Budget budget) {
        budget.makeList(entries.size());
        budget.make((long) Budget.Footprint.PAIR * entries.size());
        return new Sequence(
                entries.stream()
                        .map(entry ->
                                (Value) new Sequence(List.of(entry.getKey(), entry.getValue())))
                        .toList());
    }

    private static Optional<Value.Callable> sequenceMethod(List<Value> elements, String name) {
        return switch (name) {
            case "index" ->
                    Optional.of((arguments, budget) -> {
                        var wanted = arguments.get(0, "value");
                        for (int i = 0; i < elements.size(); i++) {
                            if (Values.equal(elements.get(i), wanted, budget)) {
                                return new Value.Int(i);
                            }
                        }
                        throw new TemplateException(
                                "the list has no %s".formatted(Printing.str(wanted, budget)));
                    });
            case "count" ->
                    Optional.of((arguments, budget) -> {
                        var wanted = arguments.get(0, "value");
                        return new Value.Int(
                                elements.stream()
                                        .filter(element -> Values.equal(element, wanted, budget))
                                        .count());
                    });
            default -> Optional.empty();
        };
    }

    /// Python's slices of lists and strings.
    record Slices(Optional<Value> from, Optional<Value> to, int stride, Budget budget) {
        static Value of(
                Value object,
                Optional<Value> from,
                Optional<Value> to,
                Optional<Value> step,
                Budget budget) {
            int stride = step.map(Values::toInt).orElse(1);
            if (stride == 0) {
                throw new TemplateException("a slice has the step 0");
            }
            var slices = new Slices(from, to, stride, budget);
            if (object instanceof Text(String text)) {
                return slices.ofText(text);
            }
            if (object instanceof Sequence(List<Value> elements)) {
                return slices.ofList(elements);
            }
            throw Values.wrongKind(object, "a list or a string");
        }

        private Value ofList(List<Value> elements) {
            int start = start(elements.size());
            int end = end(elements.size());
            budget.makeList(count(start, end));
            List<Value> chosen = new ArrayList<>();
            for (long i = start; stride > 0 ? i < end : i > end; i += stride) {
                chosen.add(elements.get((int) i));
            }
            return new Sequence(chosen);
        }

        private Value ofText(String text) {
            budget.work(text.length());
            int size = text.codePointCount(0, text.length());
            int start = start(size);
            int end = end(size);
            if (stride == 1) {
                int first = text.offsetByCodePoints(0, start);
                int last = start < end ? text.offsetByCodePoints(first, end - start) : first;
                return budget.text(text.substring(first, last));
            }
            budget.make((long) Integer.BYTES * text.length());
            int[] points = text.codePoints().toArray();
            var chosen = new Printing.Output(budget);
            for (long i = start; stride > 0 ? i < end : i > end; i += stride) {
                chosen.addPoint(points[(int) i]);
            }
            return chosen.toText();
        }

        private int start(int size) {
            return from.map(value -> bound(value, size)).orElse(stride > 0 ? 0 : size - 1);
        }

        private int end(int size) {
            return to.map(value -> bound(value, size)).orElse(stride > 0 ? size : -1);
        }

        private long count(long start, long end) {
            return Math.max(0, Math.ceilDiv(end - start, stride));
        }

        private int bound(Value value, int size) {
            int index = Values.toInt(value);
            int absolute = index < 0 ? index + size : index;
            return stride > 0 ? Math.clamp(absolute, 0, size) : Math.clamp(absolute, -1, size - 1);
        }
    }
}
