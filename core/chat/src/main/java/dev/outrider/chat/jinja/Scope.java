package dev.outrider.chat.jinja;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Variables of a template, a loop round or a macro. Assignments stay in their scope; names are looked up outwards.
final class Scope {
    private final Optional<Scope> outer;
    private final Map<String, Value> variables = new HashMap<>();

    Scope(Map<String, Value> variables) {
        outer = Optional.empty();
        this.variables.putAll(variables);
    }

    private Scope(Scope outer) {
        this.outer = Optional.of(outer);
    }

    Scope inner() {
        return new Scope(this);
    }

    void set(String name, Value value) {
        variables.put(name, value);
    }

    Value get(String name) {
        for (var scope = Optional.of(this); scope.isPresent(); scope = scope.get().outer) {
            var value = scope.get().variables.get(name);
            if (value != null) {
                return value;
            }
        }
        return new Value.Undefined(name);
    }
}
