package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.TokenCursor.Token;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Parses a template into statements.
final class TemplateParser {
    private static final Set<String> LOADERS = Set.of("include", "import", "from", "extends");

    /// The variable with the text of a filter block; not a name that a template can have.
    private static final String FILTERED = " filtered";

    private final TokenCursor tokens;
    private final ExpressionParser expressions;

    private TemplateParser(TokenCursor tokens) {
        this.tokens = tokens;
        this.expressions = new ExpressionParser(tokens);
    }

    static Statement.Body parse(String template) {
        var parser = new TemplateParser(new TokenCursor(Lexer.tokens(template)));
        var statements = parser.parseBody(Set.of());
        if (!parser.tokens.at(Token.Kind.END)) {
            throw parser.tokens.unexpected("text or a tag");
        }
        return statements;
    }

    /// Parses statements up to a block that begins with one of the names (not consumed), or to the end.
    private Statement.Body parseBody(Set<String> ends) {
        tokens.enter();
        var statements = new ArrayList<Statement>();
        while (!tokens.at(Token.Kind.END)) {
            if (tokens.at(Token.Kind.TEXT)) {
                var text = tokens.next().text();
                statements.add(Statement.of((_, out) -> out.add(text)));
            } else if (tokens.at(Token.Kind.OUTPUT_BEGIN)) {
                int line = tokens.next().line();
                statements.add(Statement.output(expressions.parseTuple()).at(line));
                tokens.expect(Token.Kind.OUTPUT_END, "'}}'");
            } else {
                if (ends.stream().anyMatch(tokens::follows)) {
                    tokens.leave();
                    return new Statement.Body(statements);
                }
                tokens.expect(Token.Kind.BLOCK_BEGIN, "'{%'");
                int line = tokens.line();
                statements.add(parseStatement(line).at(line));
            }
        }
        if (!ends.isEmpty()) {
            throw tokens.unexpected(
                    "'{%% %s %%}'".formatted(String.join(" or ", ends.stream().sorted().toList())));
        }
        tokens.leave();
        return new Statement.Body(statements);
    }

    private Statement parseStatement(int line) {
        var name = tokens.name();
        return switch (name) {
            case "if" -> parseIf();
            case "for" -> parseFor();
            case "set" -> parseSet();
            case "macro" -> parseMacro();
            case "call" -> {
                var call = expressions.parse();
                yield Statement.callBlock(call, bodyUntil("endcall"));
            }
            case "filter" -> {
                Expression input = scope -> scope.get(FILTERED);
                var first = tokens.name();
                var arguments =
                        tokens.at("(")
                                ? expressions.parseArguments()
                                : Expression.ArgumentList.NONE;
                var filters =
                        expressions.parseFilters(Expression.filtered(input, first, arguments));
                yield Statement.filterBlock(FILTERED, filters, bodyUntil("endfilter"));
            }
            case "generation" -> bodyUntil("endgeneration");
            case "break" -> {
                endTag();
                yield (_, _) -> Statement.Flow.BREAK;
            }
            case "continue" -> {
                endTag();
                yield (_, _) -> Statement.Flow.CONTINUE;
            }
            default ->
                    throw new TemplateException(
                            line,
                            LOADERS.contains(name)
                                    ? "'%s' would read another file, which templates may not"
                                            .formatted(name)
                                    : "unknown statement '%s'".formatted(name));
        };
    }

    private void endTag() {
        tokens.expect(Token.Kind.BLOCK_END, "'%}'");
    }

    /// Parses the rest of the tag, a body, and the closing tag.
    private Statement.Body bodyUntil(String end) {
        endTag();
        var body = parseBody(Set.of(end));
        closeWith(end);
        return body;
    }

    private void closeWith(String end) {
        tokens.expect(Token.Kind.BLOCK_BEGIN, "'{%'");
        tokens.expect(end);
        endTag();
    }

    private Statement parseIf() {
        var branches = new ArrayList<Statement.Branch>();
        var condition = expressions.parse();
        while (true) {
            endTag();
            branches.add(
                    new Statement.Branch(condition, parseBody(Set.of("elif", "else", "endif"))));
            tokens.expect(Token.Kind.BLOCK_BEGIN, "'{%'");
            if (tokens.skip("elif")) {
                condition = expressions.parse();
            } else if (tokens.skip("else")) {
                var always = Expression.constant(new Value.Truth(true));
                branches.add(new Statement.Branch(always, bodyUntil("endif")));
                return Statement.choice(branches);
            } else {
                tokens.expect("endif");
                endTag();
                return Statement.choice(branches);
            }
        }
    }

    private Statement parseFor() {
        var targets = targets("in");
        tokens.expect("in");
        var items = expressions.parseWithoutCondition();
        Optional<Expression> condition =
                tokens.skip("if") ? Optional.of(expressions.parse()) : Optional.empty();
        endTag();
        var body = parseBody(Set.of("else", "endfor"));
        tokens.expect(Token.Kind.BLOCK_BEGIN, "'{%'");
        var otherwise = new Statement.Body(List.of());
        if (tokens.skip("else")) {
            otherwise = bodyUntil("endfor");
        } else {
            tokens.expect("endfor");
            endTag();
        }
        return new Loop(targets, items, condition, body, otherwise);
    }

    private List<String> targets(String end) {
        boolean bracket = tokens.skip("(");
        var targets = new ArrayList<String>();
        targets.add(tokens.name());
        while (tokens.skip(",") && !tokens.at(end)) {
            targets.add(tokens.name());
        }
        if (bracket) {
            tokens.expect(")");
        }
        return targets;
    }

    private Statement parseSet() {
        var targets = targets("");
        Optional<String> field = tokens.skip(".") ? Optional.of(tokens.name()) : Optional.empty();
        if (tokens.skip("=")) {
            var value = expressions.parseTuple();
            endTag();
            return Statement.set(targets, field, value);
        }
        if (targets.size() > 1 || field.isPresent()) {
            throw tokens.unexpected("'='");
        }
        return Statement.setBlock(targets.getFirst(), bodyUntil("endset"));
    }

    private Statement parseMacro() {
        var name = tokens.name();
        tokens.expect("(");
        var parameters = new ArrayList<String>();
        Map<String, Expression> defaults = new LinkedHashMap<>();
        while (!tokens.at(")")) {
            var parameter = tokens.name();
            parameters.add(parameter);
            if (tokens.skip("=")) {
                defaults.put(parameter, expressions.parse());
            }
            if (!tokens.skip(",")) {
                break;
            }
        }
        tokens.expect(")");
        return new Macro(name, parameters, defaults, bodyUntil("endmacro"));
    }
}
