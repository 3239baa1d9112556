package dev.outrider.chat.jinja;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A statement of a template.
sealed interface Statement {
    /// Literal text.
    record Literal(String text) implements Statement {}

    /// `{{ a }}`.
    record Output(int line, Expression expression) implements Statement {}

    /// `{% if %}` with the branches in order; the condition of an `else` is true.
    record If(int line, List<Branch> branches) implements Statement {}

    /// One branch of an `if`.
    record Branch(Expression condition, List<Statement> body) {}

    /// `{% for a, b in items if condition %}` with its `else`.
    record For(
            int line,
            List<String> targets,
            Expression items,
            Optional<Expression> condition,
            List<Statement> body,
            List<Statement> otherwise)
            implements Statement {}

    /// `{% set a = b %}`, `{% set a, b = c %}` or `{% set a.field = b %}`.
    record Set(int line, List<String> targets, Optional<String> field, Expression value)
            implements Statement {}

    /// `{% set a %}…{% endset %}`.
    record SetBlock(int line, String target, List<Statement> body) implements Statement {}

    /// `{% macro f(a, b=c) %}`.
    record Macro(
            int line,
            String name,
            List<String> parameters,
            Map<String, Expression> defaults,
            List<Statement> body)
            implements Statement {}

    /// `{% call f(a) %}…{% endcall %}`: `caller()` returns the body.
    record CallBlock(int line, Expression call, List<Statement> body) implements Statement {}

    /// `{% filter f %}…{% endfilter %}`; the filters are applied to the name [#INPUT].
    record FilterBlock(int line, Expression filters, List<Statement> body) implements Statement {
        static final String INPUT = " filtered";
    }

    /// `{% generation %}…{% endgeneration %}` marks the model's text and has no effect here.
    record Generation(List<Statement> body) implements Statement {}

    /// `{% break %}`.
    record Break() implements Statement {}

    /// `{% continue %}`.
    record Continue() implements Statement {}
}
