package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Truth;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An expression of the template language. Immutable.
@FunctionalInterface
interface Expression {
    /// Computes the value from those of its parts, which are got by [#in].
    Value compute(Scope scope);

    /// Returns the value and charges for a step.
    default Value in(Scope scope) {
        scope.budget().step();
        scope.budget().enter();
        var value = compute(scope);
        scope.budget().leave();
        return value;
    }

    default boolean isTrue(Scope scope) {
        return Values.isTrue(in(scope));
    }

    static Expression constant(Value value) {
        return _ -> value;
    }

    /// `[a, b]` or `(a, b)`.
    static Expression listOf(List<Expression> elements) {
        return scope -> {
            scope.budget().makeList(elements.size());
            return new Sequence(all(elements, scope));
        };
    }

    private static List<Value> all(List<Expression> expressions, Scope scope) {
        var values = new ArrayList<Value>();
        expressions.forEach(expression -> values.add(expression.in(scope)));
        return values;
    }

    /// `{a: b}`.
    static Expression dictionaryOf(List<Expression> keys, List<Expression> values) {
        return scope -> {
            scope.budget().makeMapping(keys.size());
            Map<Value, Value> entries = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                var key = keys.get(i).in(scope);
                entries.put(Values.requireKey(key), values.get(i).in(scope));
            }
            return new Value.Mapping(entries);
        };
    }

    /// `not a`.
    static Expression not(Expression operand) {
        return scope -> new Truth(!operand.isTrue(scope));
    }

    /// `-a`.
    static Expression minus(Expression operand) {
        return scope -> Arithmetic.compute("-", new Int(0), operand.in(scope), scope.budget());
    }

    /// `a and b`, `a or b`: one of the operands.
    static Expression logical(boolean and, Expression left, Expression right) {
        return scope -> {
            var first = left.in(scope);
            return Values.isTrue(first) == and ? right.in(scope) : first;
        };
    }

    /// Arithmetic and joining: `+ - * / // % ** ~`.
    static Expression arithmetic(String operator, Expression left, Expression right) {
        return scope ->
                Arithmetic.compute(operator, left.in(scope), right.in(scope), scope.budget());
    }

    /// `a < b <= c`: every neighbouring pair must hold.
    static Expression comparison(
            Expression first, List<String> operators, List<Expression> others) {
        return scope -> {
            var left = first.in(scope);
            for (int i = 0; i < operators.size(); i++) {
                var right = others.get(i).in(scope);
                if (!Predicates.compare(operators.get(i), left, right, scope.budget())) {
                    return new Truth(false);
                }
                left = right;
            }
            return new Truth(true);
        };
    }

    /// `a if condition else b`.
    static Expression conditional(
            Expression condition, Expression then, Optional<Expression> otherwise) {
        return scope ->
                condition.isTrue(scope)
                        ? then.in(scope)
                        : otherwise
                                .map(other -> other.in(scope))
                                .orElse(new Undefined("the else of an if"));
    }

    /// `a.name`.
    static Expression attribute(Expression object, String name) {
        return scope -> Members.attribute(object.in(scope), name, scope.budget());
    }

    /// `a[index]`.
    static Expression subscript(Expression object, Expression index) {
        return scope -> Members.subscript(object.in(scope), index.in(scope), scope.budget());
    }

    /// `a[from:to:step]`.
    static Expression slice(
            Expression object,
            Optional<Expression> from,
            Optional<Expression> to,
            Optional<Expression> step) {
        return scope ->
                Members.Slices.of(
                        object.in(scope),
                        bound(from, scope),
                        bound(to, scope),
                        bound(step, scope),
                        scope.budget());
    }

    private static Optional<Value> bound(Optional<Expression> bound, Scope scope) {
        return bound.map(expression -> expression.in(scope))
                .filter(value -> !(value instanceof Value.None));
    }

    /// `a | name(b)`.
    static Expression filtered(Expression input, String name, ArgumentList arguments) {
        return scope -> Filters.apply(name, input.in(scope), arguments.in(scope), scope.budget());
    }

    /// `a is name(b)`.
    static Expression tested(Expression input, String name, ArgumentList arguments) {
        return scope ->
                new Truth(
                        Predicates.holds(
                                name, input.in(scope), arguments.in(scope), scope.budget()));
    }

    /// `f(a, name=b)`.
    record Call(Expression function, ArgumentList arguments) implements Expression {
        @Override
        public Value compute(Scope scope) {
            return compute(scope, Map.of());
        }

        /// @param more named arguments
        Value compute(Scope scope, Map<String, Value> more) {
            var called = function.in(scope);
            var values = arguments.in(scope, more);
            if (!(called instanceof Value.Function(String _, Value.Callable callable))) {
                throw Values.wrongKind(called, "a function");
            }
            scope.budget().enterCall();
            var result = callable.call(values, scope.budget());
            scope.budget().leaveCall();
            return result;
        }
    }

    /// Arguments before they are evaluated.
    record ArgumentList(List<Expression> positional, Map<String, Expression> named) {
        static final ArgumentList NONE = new ArgumentList(List.of(), Map.of());

        Arguments in(Scope scope) {
            return in(scope, Map.of());
        }

        private Arguments in(Scope scope, Map<String, Value> more) {
            scope.budget().makeMapping((long) named.size() + more.size());
            scope.budget().makeList(positional.size());
            var values = new LinkedHashMap<String, Value>();
            named.forEach((name, expression) -> values.put(name, expression.in(scope)));
            values.putAll(more);
            return new Arguments(all(positional, scope), values);
        }
    }
}
