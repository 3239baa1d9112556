package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Truth;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.List;

/// The variable `loop`: the state of a loop. Its fields are computed on request.
final class LoopVariable {
    private LoopVariable() {}

    static Value of(List<Value> items, int index) {
        return new Value.Namespace(name -> field(items, index, name));
    }

    private static Value field(List<Value> items, int index, String name) {
        int size = items.size();
        return switch (name) {
            case "index" -> new Int(index + 1);
            case "index0" -> new Int(index);
            case "revindex" -> new Int(size - index);
            case "revindex0" -> new Int(size - index - 1);
            case "first" -> new Truth(index == 0);
            case "last" -> new Truth(index == size - 1);
            case "length" -> new Int(size);
            case "previtem" -> index > 0 ? items.get(index - 1) : new Undefined(name);
            case "nextitem" -> index < size - 1 ? items.get(index + 1) : new Undefined(name);
            case "cycle" ->
                    new Value.Function(
                            name, (arguments, _) -> choice(arguments.positional(), index));
            default -> new Undefined(name);
        };
    }

    private static Value choice(List<Value> choices, int index) {
        if (choices.isEmpty()) {
            throw new TemplateException("loop.cycle has nothing to choose from");
        }
        return choices.get(index % choices.size());
    }
}
