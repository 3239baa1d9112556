package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Mapping;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Truth;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Evaluates expressions. Confined to one thread.
record Evaluator(Budget budget) {
    boolean isTrue(Expression expression, Scope scope) {
        return Values.isTrue(evaluate(expression, scope));
    }

    Value evaluate(Expression expression, Scope scope) {
        budget.step();
        budget.enter();
        var value = compute(expression, scope);
        budget.leave();
        return value;
    }

    private Value compute(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Literal(Value value) -> value;
            case Expression.Name(String name) -> scope.get(name, budget);
            case Expression.ListOf(List<Expression> elements) -> {
                budget.makeList(elements.size());
                yield new Sequence(all(elements, scope));
            }
            case Expression.DictionaryOf dictionary -> dictionary(dictionary, scope);
            case Expression.Not(Expression operand) -> new Truth(!isTrue(operand, scope));
            case Expression.Minus(Expression operand) ->
                    Arithmetic.compute("-", new Int(0), evaluate(operand, scope), budget);
            case Expression.Logical(boolean and, Expression left, Expression right) -> {
                var first = evaluate(left, scope);
                yield Values.isTrue(first) == and ? evaluate(right, scope) : first;
            }
            case Expression.Arithmetic(String operator, Expression left, Expression right) ->
                    Arithmetic.compute(
                            operator, evaluate(left, scope), evaluate(right, scope), budget);
            case Expression.Comparison comparison -> new Truth(holds(comparison, scope));
            case Expression.Conditional(
                            Expression condition,
                            Expression then,
                            Optional<Expression> otherwise) ->
                    isTrue(condition, scope)
                            ? evaluate(then, scope)
                            : otherwise
                                    .map(other -> evaluate(other, scope))
                                    .orElse(new Undefined("the else of an if"));
            case Expression.Attribute(Expression object, String name) ->
                    Members.attribute(evaluate(object, scope), name, budget);
            case Expression.Subscript(Expression object, Expression index) ->
                    Members.subscript(evaluate(object, scope), evaluate(index, scope), budget);
            case Expression.Slice slice -> slice(slice, scope);
            case Expression.Call(Expression function, Expression.ArgumentList arguments) ->
                    call(evaluate(function, scope), arguments(arguments, scope));
            case Expression.Filtered(
                            Expression input,
                            String name,
                            Expression.ArgumentList arguments) ->
                    Filters.apply(
                            name, evaluate(input, scope), arguments(arguments, scope), budget);
            case Expression.Tested(
                            Expression input,
                            String name,
                            Expression.ArgumentList arguments) ->
                    new Truth(
                            Predicates.holds(
                                    name,
                                    evaluate(input, scope),
                                    arguments(arguments, scope),
                                    budget));
        };
    }

    Value call(Value function, Arguments arguments) {
        if (!(function instanceof Value.Function(String _, Value.Callable callable))) {
            throw Values.wrongKind(function, "a function");
        }
        budget.enterCall();
        var result = callable.call(arguments, budget);
        budget.leaveCall();
        return result;
    }

    private List<Value> all(List<Expression> expressions, Scope scope) {
        var values = new ArrayList<Value>();
        expressions.forEach(expression -> values.add(evaluate(expression, scope)));
        return values;
    }

    private Arguments arguments(Expression.ArgumentList list, Scope scope) {
        budget.makeMapping(list.named().size());
        budget.makeList(list.positional().size());
        var named = new LinkedHashMap<String, Value>();
        list.named().forEach((name, expression) -> named.put(name, evaluate(expression, scope)));
        return new Arguments(all(list.positional(), scope), named);
    }

    private Value dictionary(Expression.DictionaryOf dictionary, Scope scope) {
        budget.makeMapping(dictionary.keys().size());
        Map<Value, Value> entries = new LinkedHashMap<>();
        for (int i = 0; i < dictionary.keys().size(); i++) {
            var key = evaluate(dictionary.keys().get(i), scope);
            entries.put(Values.requireKey(key), evaluate(dictionary.values().get(i), scope));
        }
        return new Mapping(entries);
    }

    private boolean holds(Expression.Comparison comparison, Scope scope) {
        var left = evaluate(comparison.first(), scope);
        for (int i = 0; i < comparison.operators().size(); i++) {
            var right = evaluate(comparison.others().get(i), scope);
            if (!Predicates.compare(comparison.operators().get(i), left, right, budget)) {
                return false;
            }
            left = right;
        }
        return true;
    }

    private Value slice(Expression.Slice slice, Scope scope) {
        return Members.Slices.of(
                evaluate(slice.object(), scope),
                bound(slice.from(), scope),
                bound(slice.to(), scope),
                bound(slice.step(), scope),
                budget);
    }

    private Optional<Value> bound(Optional<Expression> bound, Scope scope) {
        return bound.map(expression -> evaluate(expression, scope))
                .filter(value -> !(value instanceof Value.None));
    }

    /// Variables of a template, a loop iteration or a macro. Assignments stay in their scope; names
    /// are looked up outwards.
    static final class Scope {
        /// Cost of a lookup in one scope.
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
            budget.make(Budget.Footprint.SCOPE);
            return new Scope(this);
        }

        void set(String name, Value value, Budget budget) {
            if (variables.put(name, value) == null) {
                budget.make(Budget.Footprint.VARIABLE);
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
}
