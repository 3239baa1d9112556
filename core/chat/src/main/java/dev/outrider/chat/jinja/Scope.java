package dev.outrider.chat.jinja;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Variables of a template, a loop iteration or a macro, and the budget of the rendering. Assignments stay in their scope; names
/// are looked up outwards. Confined to one thread.
final class Scope {
    /// Cost of a lookup in one scope.
    private static final int LOOKS = 10;

    private final Optional<Scope> outer;
    private final Budget budget;
    private final Map<String, Value> variables = new HashMap<>();

    /// Creates the scope of a template.
    Scope(Map<String, Value> variables, Budget budget) {
        outer = Optional.empty();
        this.budget = budget;
        this.variables.putAll(variables);
    }

    private Scope(Scope outer) {
        this.outer = Optional.of(outer);
        this.budget = outer.budget;
    }

    Budget budget() {
        return budget;
    }

    /// Returns the scope of the template, which macros see instead of that of the caller.
    Scope global() {
        return outer.map(Scope::global).orElse(this);
    }

    Scope inner() {
        budget.make(Budget.Footprint.SCOPE);
        return new Scope(this);
    }

    void set(String name, Value value) {
        if (variables.put(name, value) == null) {
            budget.make(Budget.Footprint.VARIABLE);
        }
    }

    /// Sets one name to a value, or several to its elements.
    void assign(List<String> names, Value value) {
        if (names.size() == 1) {
            set(names.getFirst(), value);
            return;
        }
        var parts = Values.elements(value, budget);
        budget.work(parts.size());
        if (parts.size() != names.size()) {
            throw new TemplateException(
                    "%d names for %d values".formatted(names.size(), parts.size()));
        }
        for (int i = 0; i < parts.size(); i++) {
            set(names.get(i), parts.get(i));
        }
    }

    Value get(String name) {
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
