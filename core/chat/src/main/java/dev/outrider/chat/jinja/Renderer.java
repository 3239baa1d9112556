package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Function;
import dev.outrider.chat.jinja.Value.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;

/// Runs statements and collects what they write. Confined to one thread.
final class Renderer {
    private enum Flow {
        ON,
        BREAK,
        CONTINUE
    }

    private final Evaluator evaluator;

    /// Where macros see variables: the template's own, not those of the place they are called from.
    private final Scope global;

    Renderer(Evaluator evaluator, Scope global) {
        this.evaluator = evaluator;
        this.global = global;
    }

    String render(List<Statement> statements, Scope scope) {
        var out = new StringBuilder();
        var unused = run(statements, scope, out);
        return out.toString();
    }

    private Flow run(List<Statement> statements, Scope scope, StringBuilder out) {
        for (var statement : statements) {
            evaluator.budget().step();
            var flow = run(statement, scope, out);
            if (flow != Flow.ON) {
                return flow;
            }
        }
        return Flow.ON;
    }

    private Flow run(Statement statement, Scope scope, StringBuilder out) {
        return switch (statement) {
            case Statement.Literal(String text) -> write(text, out);
            case Statement.Output(int line, Expression expression) ->
                    write(Printing.str(at(line, () -> evaluator.evaluate(expression, scope))), out);
            case Statement.If(int line, List<Statement.Branch> branches) -> {
                for (var branch : branches) {
                    if (Values.isTrue(
                            at(line, () -> evaluator.evaluate(branch.condition(), scope)))) {
                        yield run(branch.body(), scope, out);
                    }
                }
                yield Flow.ON;
            }
            case Statement.For loop -> runLoop(loop, scope, out);
            case Statement.Set set -> {
                var value = at(set.line(), () -> evaluator.evaluate(set.value(), scope));
                set.field()
                        .ifPresentOrElse(
                                field -> setField(set, field, value, scope),
                                () -> assign(set.line(), set.targets(), value, scope));
                yield Flow.ON;
            }
            case Statement.SetBlock(int _, String target, List<Statement> body) -> {
                scope.set(target, evaluator.text(render(body, scope.inner())));
                yield Flow.ON;
            }
            case Statement.Macro macro -> {
                scope.set(
                        macro.name(),
                        new Function(macro.name(), arguments -> call(macro, arguments)));
                yield Flow.ON;
            }
            case Statement.CallBlock block -> {
                write(Printing.str(at(block.line(), () -> callWithCaller(block, scope))), out);
                yield Flow.ON;
            }
            case Statement.FilterBlock(int line, Expression filters, List<Statement> body) -> {
                var inner = scope.inner();
                inner.set(Statement.FilterBlock.INPUT, evaluator.text(render(body, inner)));
                yield write(Printing.str(at(line, () -> evaluator.evaluate(filters, inner))), out);
            }
            case Statement.Generation(List<Statement> body) -> run(body, scope, out);
            case Statement.Break() -> Flow.BREAK;
            case Statement.Continue() -> Flow.CONTINUE;
        };
    }

    private Flow write(String text, StringBuilder out) {
        out.append(text);
        evaluator.budget().checkSize(out.length());
        return Flow.ON;
    }

    private Flow runLoop(Statement.For loop, Scope scope, StringBuilder out) {
        var items = new ArrayList<Value>();
        for (var item :
                Values.elements(at(loop.line(), () -> evaluator.evaluate(loop.items(), scope)))) {
            evaluator.budget().step();
            if (loop.condition().isPresent()) {
                var inner = scope.inner();
                assign(loop.line(), loop.targets(), item, inner);
                if (!Values.isTrue(
                        at(loop.line(), () -> evaluator.evaluate(loop.condition().get(), inner)))) {
                    continue;
                }
            }
            items.add(item);
        }
        for (int index = 0; index < items.size(); index++) {
            evaluator.budget().step();
            var inner = scope.inner();
            assign(loop.line(), loop.targets(), items.get(index), inner);
            inner.set("loop", LoopVariable.of(items, index));
            if (run(loop.body(), inner, out) == Flow.BREAK) {
                break;
            }
        }
        return items.isEmpty() ? run(loop.otherwise(), scope.inner(), out) : Flow.ON;
    }

    private void assign(int line, List<String> targets, Value value, Scope scope) {
        if (targets.size() == 1) {
            scope.set(targets.getFirst(), value);
            return;
        }
        var parts = Values.elements(value);
        if (parts.size() != targets.size()) {
            throw new TemplateException(
                    line, "%d names for %d values".formatted(targets.size(), parts.size()));
        }
        for (int i = 0; i < parts.size(); i++) {
            scope.set(targets.get(i), parts.get(i));
        }
    }

    private static void setField(Statement.Set set, String field, Value value, Scope scope) {
        var name = set.targets().getFirst();
        if (!(scope.get(name) instanceof Value.Namespace namespace)) {
            throw new TemplateException(
                    set.line(),
                    "'%s' is no namespace, so '%s.%s' cannot be set".formatted(name, name, field));
        }
        namespace.set(field, value);
    }

    private Value call(Statement.Macro macro, Arguments arguments) {
        var scope = global.inner();
        if (arguments.positional().size() > macro.parameters().size()) {
            throw new TemplateException(
                    "macro '%s' takes %d arguments, not %d"
                            .formatted(
                                    macro.name(),
                                    macro.parameters().size(),
                                    arguments.positional().size()));
        }
        for (int i = 0; i < macro.parameters().size(); i++) {
            var parameter = macro.parameters().get(i);
            var given = arguments.get(i, parameter, new Value.Undefined(parameter));
            var otherwise = macro.defaults().get(parameter);
            scope.set(
                    parameter,
                    given instanceof Value.Undefined && otherwise != null
                            ? evaluator.evaluate(otherwise, scope)
                            : given);
        }
        var caller = arguments.named().get("caller");
        if (caller != null) {
            scope.set("caller", caller);
        }
        return new Text(render(macro.body(), scope));
    }

    private Value callWithCaller(Statement.CallBlock block, Scope scope) {
        if (!(block.call()
                instanceof Expression.Call(Expression function, Expression.ArgumentList list))) {
            throw new TemplateException("call needs a macro with its arguments");
        }
        var named = new LinkedHashMap<String, Value>();
        list.named().forEach((name, value) -> named.put(name, evaluator.evaluate(value, scope)));
        var body = new Function("caller", _ -> new Text(render(block.body(), scope.inner())));
        named.put("caller", body);
        var positional =
                list.positional().stream().map(value -> evaluator.evaluate(value, scope)).toList();
        return evaluator.call(
                evaluator.evaluate(function, scope), new Arguments(positional, named));
    }

    /// Tells the line of what fails inside, unless that is told already.
    private static Value at(int line, Supplier<Value> work) {
        try {
            return work.get();
        } catch (TemplateException e) {
            throw e.at(line);
        }
    }
}
