package dev.outrider.chat.jinja;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An expression of the template language.
sealed interface Expression {
    /// A constant.
    record Literal(Value value) implements Expression {}

    /// A variable.
    record Name(String name) implements Expression {}

    /// `[a, b]` or `(a, b)`.
    record ListOf(List<Expression> elements) implements Expression {}

    /// `{a: b}`.
    record DictionaryOf(List<Expression> keys, List<Expression> values) implements Expression {}

    /// `not a`.
    record Not(Expression operand) implements Expression {}

    /// `-a`.
    record Minus(Expression operand) implements Expression {}

    /// `a and b`, `a or b`: one of the operands.
    record Logical(boolean and, Expression left, Expression right) implements Expression {}

    /// Arithmetic and joining: `+ - * / // % ** ~`.
    record Arithmetic(String operator, Expression left, Expression right) implements Expression {}

    /// `a < b <= c`: every neighbouring pair must hold.
    record Comparison(Expression first, List<String> operators, List<Expression> others)
            implements Expression {}

    /// `a if condition else b`.
    record Conditional(Expression condition, Expression then, Optional<Expression> otherwise)
            implements Expression {}

    /// `a.name`.
    record Attribute(Expression object, String name) implements Expression {}

    /// `a[index]`.
    record Subscript(Expression object, Expression index) implements Expression {}

    /// `a[from:to:step]`.
    record Slice(
            Expression object,
            Optional<Expression> from,
            Optional<Expression> to,
            Optional<Expression> step)
            implements Expression {}

    /// `f(a, name=b)`.
    record Call(Expression function, ArgumentList arguments) implements Expression {}

    /// `a | name(b)`.
    record Filtered(Expression input, String name, ArgumentList arguments) implements Expression {}

    /// `a is name(b)`.
    record Tested(Expression input, String name, ArgumentList arguments) implements Expression {}

    /// Arguments before they are evaluated.
    record ArgumentList(List<Expression> positional, Map<String, Expression> named) {
        static final ArgumentList NONE = new ArgumentList(List.of(), Map.of());
    }
}
