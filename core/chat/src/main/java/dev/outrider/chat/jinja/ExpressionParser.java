package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Expression.ArgumentList;
import dev.outrider.chat.jinja.TokenCursor.Token;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Parses expressions by recursive descent, from the loosest operator to the tightest. Filters and tests bind tighter
/// than any operator.
record ExpressionParser(TokenCursor tokens) {
    /// Binary operators from the loosest to the tightest. `not` and the comparisons are between [#LOGICAL] and arithmetic.
    private static final List<Set<String>> LEVELS =
            List.of(
                    Set.of("or"),
                    Set.of("and"),
                    Set.of("+", "-"),
                    Set.of("~"),
                    Set.of("*", "/", "//", "%"),
                    Set.of("**"));

    /// The number of levels of logical operators.
    private static final int LOGICAL = 2;

    /// Parses an expression, or several with commas between them as a list.
    Expression parseTuple() {
        var first = parse();
        if (!tokens.at(",")) {
            return first;
        }
        var elements = new ArrayList<>(List.of(first));
        while (tokens.skip(",") && !atEnd()) {
            elements.add(parse());
        }
        return Expression.listOf(elements);
    }

    private boolean atEnd() {
        return tokens.at(Token.Kind.BLOCK_END)
                || tokens.at(Token.Kind.OUTPUT_END)
                || tokens.at(")");
    }

    Expression parse() {
        tokens.enter();
        var value = parseWithoutCondition();
        while (tokens.skip("if")) {
            var condition = parseWithoutCondition();
            Optional<Expression> otherwise =
                    tokens.skip("else") ? Optional.of(parse()) : Optional.empty();
            value = Expression.conditional(condition, value, otherwise);
        }
        tokens.leave();
        return value;
    }

    /// Parses the iterable of a loop: an `if` after it belongs to the loop.
    Expression parseWithoutCondition() {
        return parseBinary(0);
    }

    private Expression parseBinary(int level) {
        var left = parseOperand(level);
        while (LEVELS.get(level).stream().anyMatch(tokens::at)) {
            var operator = tokens.next().text();
            var right = parseOperand(level);
            left =
                    level < LOGICAL
                            ? Expression.logical(operator.equals("and"), left, right)
                            : Expression.arithmetic(operator, left, right);
        }
        return left;
    }

    /// Parses an operand of the operators of a level.
    private Expression parseOperand(int level) {
        if (level + 1 == LOGICAL) {
            return parseNot();
        }
        return level + 1 == LEVELS.size() ? parseUnary(true) : parseBinary(level + 1);
    }

    private Expression parseNot() {
        if (!tokens.at("not")) {
            return parseComparison();
        }
        tokens.enter();
        tokens.expect("not");
        var result = Expression.not(parseNot());
        tokens.leave();
        return result;
    }

    private Expression parseComparison() {
        var first = parseBinary(LOGICAL);
        var operators = new ArrayList<String>();
        var others = new ArrayList<Expression>();
        while (true) {
            if (tokens.at(Token.Kind.OPERATOR)
                    && Predicates.COMPARISONS.contains(tokens.peek().text())) {
                operators.add(tokens.next().text());
            } else if (tokens.skip("in")) {
                operators.add("in");
            } else if (tokens.at("not") && tokens.follows("in")) {
                tokens.expect("not");
                tokens.expect("in");
                operators.add("not in");
            } else {
                break;
            }
            others.add(parseBinary(LOGICAL));
        }
        return operators.isEmpty() ? first : Expression.comparison(first, operators, others);
    }

    private Expression parseUnary(boolean withFilters) {
        tokens.enter();
        Expression value;
        if (tokens.skip("-")) {
            value = Expression.minus(parseUnary(false));
        } else if (tokens.skip("+")) {
            value = parseUnary(false);
        } else {
            value = parsePostfix(parsePrimary());
        }
        tokens.leave();
        return withFilters ? parseFilters(value) : value;
    }

    private Expression parsePrimary() {
        var token = tokens.peek();
        return switch (token.kind()) {
            case NAME -> constant(tokens.next().text());
            case STRING -> {
                var text = new StringBuilder();
                while (tokens.at(Token.Kind.STRING)) {
                    text.append(tokens.next().text());
                }
                yield Expression.constant(new Value.Text(text.toString()));
            }
            case INTEGER -> Expression.constant(new Value.Int(integer(tokens.next())));
            case REAL ->
                    Expression.constant(new Value.Real(Double.parseDouble(tokens.next().text())));
            case OPERATOR -> parseBracket();
            default -> throw tokens.unexpected("a value");
        };
    }

    private static Expression constant(String name) {
        return switch (name) {
            case "true", "True" -> Expression.constant(new Value.Truth(true));
            case "false", "False" -> Expression.constant(new Value.Truth(false));
            case "none", "None" -> Expression.constant(new Value.None());
            default -> scope -> scope.get(name);
        };
    }

    private static long integer(Token token) {
        try {
            return Long.parseLong(token.text());
        } catch (NumberFormatException e) {
            throw new TemplateException(
                    token.line(), "the integer %s is too large".formatted(token.text()));
        }
    }

    private Expression parseBracket() {
        if (tokens.skip("(")) {
            if (tokens.skip(")")) {
                return Expression.listOf(List.of());
            }
            var inner = parseTuple();
            tokens.expect(")");
            return inner;
        }
        if (tokens.skip("[")) {
            var elements = new ArrayList<Expression>();
            while (!tokens.at("]")) {
                elements.add(parse());
                if (!tokens.skip(",")) {
                    break;
                }
            }
            tokens.expect("]");
            return Expression.listOf(elements);
        }
        if (tokens.skip("{")) {
            return parseDictionary();
        }
        throw tokens.unexpected("a value");
    }

    private Expression parseDictionary() {
        var keys = new ArrayList<Expression>();
        var values = new ArrayList<Expression>();
        while (!tokens.at("}")) {
            keys.add(parse());
            tokens.expect(":");
            values.add(parse());
            if (!tokens.skip(",")) {
                break;
            }
        }
        tokens.expect("}");
        return Expression.dictionaryOf(keys, values);
    }

    private Expression parsePostfix(Expression start) {
        var value = start;
        while (true) {
            if (tokens.skip(".")) {
                value = Expression.attribute(value, tokens.name());
            } else if (tokens.skip("[")) {
                value = parseSubscript(value);
                tokens.expect("]");
            } else if (tokens.at("(")) {
                value = new Expression.Call(value, parseArguments());
            } else {
                return value;
            }
        }
    }

    private Expression parseSubscript(Expression object) {
        var from = sliceEnd();
        if (!tokens.skip(":")) {
            return Expression.subscript(
                    object, from.orElseThrow(() -> tokens.unexpected("an index")));
        }
        var to = sliceEnd();
        var step = tokens.skip(":") ? sliceEnd() : Optional.<Expression>empty();
        return Expression.slice(object, from, to, step);
    }

    private Optional<Expression> sliceEnd() {
        return tokens.at(":") || tokens.at("]") ? Optional.empty() : Optional.of(parse());
    }

    ArgumentList parseArguments() {
        tokens.expect("(");
        var positional = new ArrayList<Expression>();
        var named = new LinkedHashMap<String, Expression>();
        while (!tokens.at(")")) {
            if (tokens.at(Token.Kind.NAME) && tokens.follows("=")) {
                var name = tokens.name();
                tokens.expect("=");
                named.put(name, parse());
            } else {
                positional.add(parse());
            }
            if (!tokens.skip(",")) {
                break;
            }
        }
        tokens.expect(")");
        return new ArgumentList(positional, named);
    }

    /// Parses filters `| name(…)` and tests `is name …` after a value.
    Expression parseFilters(Expression start) {
        var value = start;
        while (true) {
            if (tokens.skip("|")) {
                value = Expression.filtered(value, tokens.name(), optionalArguments());
            } else if (tokens.skip("is")) {
                value = parseTest(value);
            } else if (tokens.at("(")) {
                value = new Expression.Call(value, parseArguments());
            } else {
                return value;
            }
        }
    }

    private ArgumentList optionalArguments() {
        return tokens.at("(") ? parseArguments() : ArgumentList.NONE;
    }

    private Expression parseTest(Expression input) {
        boolean negated = tokens.skip("not");
        var name = tokens.name();
        ArgumentList arguments;
        if (tokens.at("(")) {
            arguments = parseArguments();
        } else if (takesBareArgument(name)) {
            arguments = new ArgumentList(List.of(parsePostfix(parsePrimary())), Map.of());
        } else {
            arguments = ArgumentList.NONE;
        }
        var test = Expression.tested(input, name, arguments);
        return negated ? Expression.not(test) : test;
    }

    private boolean takesBareArgument(String test) {
        return Predicates.takesArgument(test)
                && switch (tokens.peek().kind()) {
                    case NAME, STRING, INTEGER, REAL -> true;
                    case OPERATOR -> tokens.at("[") || tokens.at("{");
                    default -> false;
                };
    }
}
