package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Printing.Output;
import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.List;
import java.util.Map;

/// `{% macro f(a, b=c) %}`: sets a function of this name.
record Macro(
        String name, List<String> parameters, Map<String, Expression> defaults, Statement.Body body)
        implements Statement {
    @Override
    public Flow run(Scope scope, Output out) {
        scope.set(name, new Value.Function(name, (given, _) -> call(given, scope.global())));
        return Flow.ON;
    }

    private Value call(Arguments arguments, Scope global) {
        var scope = global.inner();
        if (arguments.positional().size() > parameters.size()) {
            throw new TemplateException(
                    "macro '%s' takes %d arguments, not %d"
                            .formatted(name, parameters.size(), arguments.positional().size()));
        }
        for (int i = 0; i < parameters.size(); i++) {
            scope.budget().step();
            var parameter = parameters.get(i);
            var given = arguments.get(i, parameter, new Undefined(parameter));
            var otherwise = defaults.get(parameter);
            scope.set(
                    parameter,
                    given instanceof Undefined && otherwise != null ? otherwise.in(scope) : given);
        }
        var caller = arguments.named().get("caller");
        if (caller != null) {
            scope.set("caller", caller);
        }
        return body.text(scope);
    }
}
