package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Printing.Output;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Truth;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `{% for a, b in items if condition %}` with its `else`.
record Loop(
        List<String> targets,
        Expression items,
        Optional<Expression> condition,
        Statement.Body body,
        Statement.Body otherwise)
        implements Statement {
    @Override
    public Flow run(Scope scope, Output out) {
        var budget = scope.budget();
        var all = Values.elements(items.in(scope), budget);
        budget.makeList(all.size());
        var chosen = new ArrayList<Value>();
        for (var item : all) {
            budget.step();
            if (condition.isEmpty() || condition.get().isTrue(of(item, scope))) {
                chosen.add(item);
            }
        }
        for (int index = 0; index < chosen.size(); index++) {
            budget.step();
            var inner = of(chosen.get(index), scope);
            budget.make(Budget.Footprint.ROUND);
            inner.set("loop", variable(chosen, index));
            if (body.run(inner, out) == Flow.BREAK) {
                break;
            }
        }
        return chosen.isEmpty() ? otherwise.run(scope.inner(), out) : Flow.ON;
    }

    /// The scope of one item.
    private Scope of(Value item, Scope scope) {
        var inner = scope.inner();
        inner.assign(targets, item);
        return inner;
    }

    /// Returns the variable `loop`: the state of a loop. Its fields are computed on request.
    private static Value variable(List<Value> items, int index) {
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
