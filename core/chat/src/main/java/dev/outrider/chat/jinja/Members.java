package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Function;
import dev.outrider.chat.jinja.Value.Mapping;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.List;
import java.util.Optional;

/// Methods, keys and indices of values. `a.b` looks for a method first and for a key then, `a['b']` the other way.
final class Members {
    private Members() {}

    static Value attribute(Value object, String name, Budget budget) {
        return method(object, name, budget)
                .map(callable -> (Value) new Function(name, callable))
                .orElseGet(() -> key(object, name));
    }

    static Value subscript(Value object, Value index, Budget budget) {
        return switch (object) {
            case Mapping mapping -> {
                var value = mapping.entries().get(index);
                if (value == null) {
                    yield index instanceof Text(String name)
                            ? attribute(mapping, name, budget)
                            : new Undefined(Printing.str(index));
                }
                yield value;
            }
            case Sequence _, Text _ when Values.isInteger(index) -> {
                budget.work(object instanceof Text ? Values.size(object) : 1);
                var elements = Values.elements(object);
                int wanted = Values.toInt(index);
                int absolute = wanted < 0 ? wanted + elements.size() : wanted;
                yield absolute >= 0 && absolute < elements.size()
                        ? elements.get(absolute)
                        : new Undefined("element " + wanted);
            }
            case Sequence _,
                    Text _,
                    Value.Int _,
                    Value.Real _,
                    Value.Truth _,
                    Value.None _,
                    Undefined _,
                    Function _,
                    Value.Namespace _ ->
                    attribute(object, Printing.str(index), budget);
        };
    }

    private static Value key(Value object, String name) {
        return switch (object) {
            case Mapping mapping -> mapping.get(name);
            case Value.Namespace namespace -> namespace.get(name);
            case Undefined(String what) ->
                    throw new TemplateException(
                            "'%s' is undefined, so it has no '%s'".formatted(what, name));
            case Text _,
                    Value.Int _,
                    Value.Real _,
                    Value.Truth _,
                    Value.None _,
                    Sequence _,
                    Function _ ->
                    new Undefined(name);
        };
    }

    private static Optional<Value.Callable> method(Value object, String name, Budget budget) {
        return switch (object) {
            case Text(String text) -> TextMethods.of(text, name, budget);
            case Mapping mapping -> mappingMethod(mapping, name);
            case Sequence sequence -> sequenceMethod(sequence, name, budget);
            case Value.Int _,
                    Value.Real _,
                    Value.Truth _,
                    Value.None _,
                    Undefined _,
                    Function _,
                    Value.Namespace _ ->
                    Optional.empty();
        };
    }

    private static Optional<Value.Callable> mappingMethod(Mapping mapping, String name) {
        return switch (name) {
            case "items" -> Optional.of(_ -> items(mapping));
            case "keys" -> Optional.of(_ -> new Sequence(List.copyOf(mapping.entries().keySet())));
            case "values" ->
                    Optional.of(_ -> new Sequence(List.copyOf(mapping.entries().values())));
            case "get" ->
                    Optional.of(arguments ->
                            mapping.entries()
                                    .getOrDefault(
                                            arguments.get(0, "key"),
                                            arguments.get(1, "default", new Value.None())));
            default -> Optional.empty();
        };
    }

    /// The entries as pairs.
    static Sequence items(Mapping mapping) {
        return new Sequence(
                mapping.entries().entrySet().stream()
                        .map(entry ->
                                (Value) new Sequence(List.of(entry.getKey(), entry.getValue())))
                        .toList());
    }

    private static Optional<Value.Callable> sequenceMethod(
            Sequence sequence, String name, Budget budget) {
        budget.work(sequence.elements().size());
        return switch (name) {
            case "index" ->
                    Optional.of(arguments -> {
                        var wanted = arguments.get(0, "value");
                        for (int i = 0; i < sequence.elements().size(); i++) {
                            if (Values.equal(sequence.elements().get(i), wanted)) {
                                return new Value.Int(i);
                            }
                        }
                        throw new TemplateException(
                                "the list has no %s".formatted(Printing.str(wanted)));
                    });
            case "count" ->
                    Optional.of(arguments ->
                            new Value.Int(
                                    sequence.elements().stream()
                                            .filter(element ->
                                                    Values.equal(
                                                            element, arguments.get(0, "value")))
                                            .count()));
            default -> Optional.empty();
        };
    }
}
