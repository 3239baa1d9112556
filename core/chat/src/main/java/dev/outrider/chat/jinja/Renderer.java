package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Function;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Truth;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;

/// Runs statements and collects their output. Confined to one thread.
final class Renderer {
    private enum Flow {
        ON,
        BREAK,
        CONTINUE
    }

    private final Evaluator evaluator;
    private final Budget budget;

    /// The scope that macros see: the template's, not that of the caller.
    private final Evaluator.Scope global;

    Renderer(Evaluator evaluator, Evaluator.Scope global) {
        this.evaluator = evaluator;
        this.budget = evaluator.budget();
        this.global = global;
    }

    String render(List<Statement> statements, Evaluator.Scope scope) {
        return written(statements, scope).toString();
    }

    private Value text(List<Statement> statements, Evaluator.Scope scope) {
        return written(statements, scope).toText();
    }

    private Printing.Output written(List<Statement> statements, Evaluator.Scope scope) {
        var out = new Printing.Output(budget);
        var unused = run(statements, scope, out);
        return out;
    }

    private Flow run(List<Statement> statements, Evaluator.Scope scope, Printing.Output out) {
        budget.enter();
        var flow = Flow.ON;
        for (int i = 0; flow == Flow.ON && i < statements.size(); i++) {
            budget.step();
            flow = run(statements.get(i), scope, out);
        }
        budget.leave();
        return flow;
    }

    private Flow run(Statement statement, Evaluator.Scope scope, Printing.Output out) {
        return switch (statement) {
            case Statement.Literal(String text) -> {
                out.add(text);
                yield Flow.ON;
            }
            case Statement.Output(int line, Expression expression) ->
                    write(line, evaluate(line, expression, scope), out);
            case Statement.If(int line, List<Statement.Branch> branches) -> {
                for (var branch : branches) {
                    if (Values.isTrue(evaluate(line, branch.condition(), scope))) {
                        yield run(branch.body(), scope, out);
                    }
                }
                yield Flow.ON;
            }
            case Statement.For loop -> runLoop(loop, scope, out);
            case Statement.Set set -> {
                var value = evaluate(set.line(), set.value(), scope);
                set.field()
                        .ifPresentOrElse(
                                field -> setField(set, field, value, scope),
                                () -> assign(set.line(), set.targets(), value, scope));
                yield Flow.ON;
            }
            case Statement.SetBlock(int _, String target, List<Statement> body) -> {
                scope.set(target, text(body, scope.inner(budget)), budget);
                yield Flow.ON;
            }
            case Statement.Macro macro -> {
                scope.set(
                        macro.name(),
                        new Function(macro.name(), (arguments, _) -> call(macro, arguments)),
                        budget);
                yield Flow.ON;
            }
            case Statement.CallBlock block ->
                    write(block.line(), at(block.line(), () -> callWithCaller(block, scope)), out);
            case Statement.FilterBlock(int line, Expression filters, List<Statement> body) -> {
                var inner = scope.inner(budget);
                inner.set(Statement.FilterBlock.INPUT, text(body, inner), budget);
                yield write(line, evaluate(line, filters, inner), out);
            }
            case Statement.Generation(List<Statement> body) -> run(body, scope, out);
            case Statement.Break() -> Flow.BREAK;
            case Statement.Continue() -> Flow.CONTINUE;
        };
    }

    private Value evaluate(int line, Expression expression, Evaluator.Scope scope) {
        return at(line, () -> evaluator.evaluate(expression, scope));
    }

    private static Flow write(int line, Value value, Printing.Output out) {
        try {
            Printing.str(value, out);
            return Flow.ON;
        } catch (TemplateException e) {
            throw e.at(line);
        }
    }

    private Flow runLoop(Statement.For loop, Evaluator.Scope scope, Printing.Output out) {
        var all = Values.elements(evaluate(loop.line(), loop.items(), scope), budget);
        budget.makeList(all.size());
        var items = new ArrayList<Value>();
        for (var item : all) {
            budget.step();
            if (loop.condition().isPresent()) {
                var inner = scope.inner(budget);
                assign(loop.line(), loop.targets(), item, inner);
                if (!Values.isTrue(evaluate(loop.line(), loop.condition().get(), inner))) {
                    continue;
                }
            }
            items.add(item);
        }
        for (int index = 0; index < items.size(); index++) {
            budget.step();
            var inner = scope.inner(budget);
            assign(loop.line(), loop.targets(), items.get(index), inner);
            budget.make(Budget.Footprint.ROUND);
            inner.set("loop", loopVariable(items, index), budget);
            if (run(loop.body(), inner, out) == Flow.BREAK) {
                break;
            }
        }
        return items.isEmpty() ? run(loop.otherwise(), scope.inner(budget), out) : Flow.ON;
    }

    private void assign(int line, List<String> targets, Value value, Evaluator.Scope scope) {
        if (targets.size() == 1) {
            scope.set(targets.getFirst(), value, budget);
            return;
        }
        var parts = Values.elements(value, budget);
        budget.work(parts.size());
        if (parts.size() != targets.size()) {
            throw new TemplateException(
                    line, "%d names for %d values".formatted(targets.size(), parts.size()));
        }
        for (int i = 0; i < parts.size(); i++) {
            scope.set(targets.get(i), parts.get(i), budget);
        }
    }

    private void setField(Statement.Set set, String field, Value value, Evaluator.Scope scope) {
        var name = set.targets().getFirst();
        if (!(scope.get(name, budget) instanceof Value.Namespace namespace)) {
            throw new TemplateException(
                    set.line(),
                    "'%s' is no namespace, so '%s.%s' cannot be set".formatted(name, name, field));
        }
        budget.make(Budget.Footprint.VARIABLE);
        namespace.set(field, value);
    }

    private Value call(Statement.Macro macro, Arguments arguments) {
        var scope = global.inner(budget);
        if (arguments.positional().size() > macro.parameters().size()) {
            throw new TemplateException(
                    "macro '%s' takes %d arguments, not %d"
                            .formatted(
                                    macro.name(),
                                    macro.parameters().size(),
                                    arguments.positional().size()));
        }
        for (int i = 0; i < macro.parameters().size(); i++) {
            budget.step();
            var parameter = macro.parameters().get(i);
            var given = arguments.get(i, parameter, new Value.Undefined(parameter));
            var otherwise = macro.defaults().get(parameter);
            scope.set(
                    parameter,
                    given instanceof Value.Undefined && otherwise != null
                            ? evaluator.evaluate(otherwise, scope)
                            : given,
                    budget);
        }
        var caller = arguments.named().get("caller");
        if (caller != null) {
            scope.set("caller", caller, budget);
        }
        return text(macro.body(), scope);
    }

    private Value callWithCaller(Statement.CallBlock block, Evaluator.Scope scope) {
        if (!(block.call()
                instanceof Expression.Call(Expression function, Expression.ArgumentList list))) {
            throw new TemplateException("call needs a macro with its arguments");
        }
        budget.makeMapping(list.named().size() + 1L);
        budget.makeList(list.positional().size());
        var named = new LinkedHashMap<String, Value>();
        list.named().forEach((name, value) -> named.put(name, evaluator.evaluate(value, scope)));
        var body = new Function("caller", (_, _) -> text(block.body(), scope.inner(budget)));
        named.put("caller", body);
        var positional =
                list.positional().stream().map(value -> evaluator.evaluate(value, scope)).toList();
        return evaluator.call(
                evaluator.evaluate(function, scope), new Arguments(positional, named));
    }

    /// Runs `work` and adds the line number to its failure, unless the failure has one.
    private static Value at(int line, Supplier<Value> work) {
        try {
            return work.get();
        } catch (TemplateException e) {
            throw e.at(line);
        }
    }

    /// Returns the variable `loop`: the state of a loop. Its fields are computed on request.
    private static Value loopVariable(List<Value> items, int index) {
        return new Value.Namespace(name -> loopField(items, index, name));
    }

    private static Value loopField(List<Value> items, int index, String name) {
        int size = items.size();
        return switch (name) {
            case "index" -> new Int(index + 1);
            case "index0" -> new Int(index);
            case "revindex" -> new Int(size - index);
            case "revindex0" -> new Int(size - index - 1);
            case "first" -> new Truth(index == 0);
            case "last" -> new Truth(index == size - 1);
            case "length" -> new Int(size);
            case "previtem" -> index > 0 ? items.get(index - 1) : new Undefined(name);
            case "nextitem" -> index < size - 1 ? items.get(index + 1) : new Undefined(name);
            case "cycle" ->
                    new Value.Function(
                            name, (arguments, _) -> choice(arguments.positional(), index));
            default -> new Undefined(name);
        };
    }

    private static Value choice(List<Value> choices, int index) {
        if (choices.isEmpty()) {
            throw new TemplateException("loop.cycle has nothing to choose from");
        }
        return choices.get(index % choices.size());
    }
}
