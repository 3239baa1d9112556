package dev.outrider.chat.jinja;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Variables of a template, a loop iteration or a macro. Assignments stay in their scope; names are
/// looked up outwards.
final class Scope {
    /// Cost of searching one scope.
    private static final int LOOKS = 10;

    private final Optional<Scope> outer;
    private final Map<String, Value> variables = new HashMap<>();

    Scope(Map<String, Value> variables) {
        outer = Optional.empty();
        this.variables.putAll(variables);
    }

    private Scope(Scope outer) {
        this.outer = Optional.of(outer);
    }

    Scope inner(Budget budget) {
        budget.make(Footprint.SCOPE);
        return new Scope(this);
    }

    void set(String name, Value value, Budget budget) {
        if (variables.put(name, value) == null) {
            budget.make(Footprint.VARIABLE);
        }
    }

    Value get(String name, Budget budget) {
        for (var scope = Optional.of(this); scope.isPresent(); scope = scope.get().outer) {
            budget.work(LOOKS);
            var value = scope.get().variables.get(name);
            if (value != null) {
                return value;
            }
        }
        return new Value.Undefined(name);
    }
}
