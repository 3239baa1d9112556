package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Printing.Output;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/// A statement of a template. Immutable.
@FunctionalInterface
interface Statement {
    /// Which statements run next.
    enum Flow {
        ON,
        BREAK,
        CONTINUE
    }

    Flow run(Scope scope, Output out);

    /// Returns a statement after which the next one runs.
    static Statement of(BiConsumer<Scope, Output> effect) {
        return (scope, out) -> {
            effect.accept(scope, out);
            return Flow.ON;
        };
    }

    /// The same statement; its failures have the line number, unless they have one.
    default Statement at(int line) {
        return (scope, out) -> {
            try {
                return run(scope, out);
            } catch (TemplateException e) {
                throw e.at(line);
            }
        };
    }

    /// Statements in order.
    record Body(List<Statement> statements) implements Statement {
        @Override
        public Flow run(Scope scope, Output out) {
            scope.budget().enter();
            var flow = Flow.ON;
            for (int i = 0; flow == Flow.ON && i < statements.size(); i++) {
                scope.budget().step();
                flow = statements.get(i).run(scope, out);
            }
            scope.budget().leave();
            return flow;
        }

        Output written(Scope scope) {
            var out = new Output(scope.budget());
            var unused = run(scope, out);
            return out;
        }

        Value text(Scope scope) {
            return written(scope).toText();
        }
    }

    /// `{{ a }}`.
    static Statement output(Expression expression) {
        return of((scope, out) -> Printing.str(expression.in(scope), out));
    }

    /// One branch of an `if`.
    record Branch(Expression condition, Body body) {}

    /// `{% if %}` with the branches in order; the condition of an `else` is true.
    static Statement choice(List<Branch> branches) {
        return (scope, out) -> {
            for (var branch : branches) {
                if (branch.condition().isTrue(scope)) {
                    return branch.body().run(scope, out);
                }
            }
            return Flow.ON;
        };
    }

    /// `{% set a = b %}`, `{% set a, b = c %}` or `{% set a.field = b %}`.
    static Statement set(List<String> targets, Optional<String> field, Expression value) {
        return of((scope, _) -> {
            var given = value.in(scope);
            field.ifPresentOrElse(
                    name -> setField(targets.getFirst(), name, given, scope),
                    () -> scope.assign(targets, given));
        });
    }

    private static void setField(String name, String field, Value value, Scope scope) {
        if (!(scope.get(name) instanceof Value.Namespace namespace)) {
            throw new TemplateException(
                    "'%s' is no namespace, so '%s.%s' cannot be set".formatted(name, name, field));
        }
        scope.budget().make(Budget.Footprint.VARIABLE);
        namespace.set(field, value);
    }

    /// `{% set a %}…{% endset %}`.
    static Statement setBlock(String target, Body body) {
        return of((scope, _) -> scope.set(target, body.text(scope.inner())));
    }

    /// `{% call f(a) %}…{% endcall %}`: `caller()` returns the body.
    static Statement callBlock(Expression call, Body body) {
        return of((scope, out) -> {
            if (!(call instanceof Expression.Call macro)) {
                throw new TemplateException("call needs a macro with its arguments");
            }
            var caller = new Value.Function("caller", (_, _) -> body.text(scope.inner()));
            Printing.str(macro.compute(scope, Map.of("caller", caller)), out);
        });
    }

    /// `{% filter f %}…{% endfilter %}`.
    ///
    /// @param filters of the variable `input`, which no template can name
    static Statement filterBlock(String input, Expression filters, Body body) {
        return of((scope, out) -> {
            var inner = scope.inner();
            inner.set(input, body.text(inner));
            Printing.str(filters.in(inner), out);
        });
    }
}
