package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Function;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Sequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// A parsed template. Immutable and thread-safe.
///
/// Templates also see `range`, `namespace`, `dict` and `raise_exception`.
public final class Template {
    private static final int LONGEST_RANGE = 100_000;

    /// Many times the longest published template.
    private static final int LONGEST_SOURCE = 1_000_000;

    private final Statement.Body body;

    private Template(Statement.Body body) {
        this.body = body;
    }

    /// Parses a template.
    ///
    /// @throws TemplateException with the line, if it is malformed
    public static Template parse(String source) {
        if (source.length() > LONGEST_SOURCE) {
            throw new TemplateException(
                    "%d characters; expected at most %d"
                            .formatted(source.length(), LONGEST_SOURCE));
        }
        try {
            return new Template(TemplateParser.parse(source));
        } catch (StackOverflowError e) {
            throw tooDeep();
        }
    }

    /// Renders the template.
    ///
    /// @throws TemplateException with the line, if it fails or refuses its input; see
    ///     [TemplateException#raised()]
    public String render(Map<String, Value> variables) {
        var all = new HashMap<>(builtIn());
        all.putAll(variables);
        try {
            return body.written(new Scope(all, new Budget())).toString();
        } catch (StackOverflowError e) {
            throw tooDeep();
        }
    }

    /// A stack overflow is safe here, because parser and renderer keep no state.
    private static TemplateException tooDeep() {
        return new TemplateException("the template nests too deep");
    }

    private static Map<String, Value> builtIn() {
        return Map.of(
                "range", new Function("range", Template::range),
                "namespace", new Function("namespace", Template::namespace),
                "dict", new Function("dict", Template::dictionary),
                "raise_exception",
                        new Function(
                                "raise_exception",
                                (arguments, budget) -> {
                                    throw TemplateException.raised(
                                            Printing.str(arguments.get(0, "message"), budget));
                                }));
    }

    private static Value range(Value.Arguments arguments, Budget budget) {
        var bounds = arguments.positional();
        if (bounds.isEmpty() || bounds.size() > 3) {
            throw new TemplateException("range takes one to three integers");
        }
        long start = bounds.size() == 1 ? 0 : Values.toInt(bounds.getFirst());
        long end = Values.toInt(bounds.get(bounds.size() == 1 ? 0 : 1));
        long step = bounds.size() == 3 ? Values.toInt(bounds.get(2)) : 1;
        if (step == 0 || (end - start) / step > LONGEST_RANGE) {
            throw new TemplateException(
                    "range(%d, %d, %d) is endless or longer than %d"
                            .formatted(start, end, step, LONGEST_RANGE));
        }
        long size = Math.max(0, Math.ceilDiv(end - start, step));
        budget.makeList(size);
        budget.make(Budget.Footprint.NUMBER * size);
        var numbers = new ArrayList<Value>();
        for (long i = start; step > 0 ? i < end : i > end; i += step) {
            numbers.add(new Int(i));
        }
        return new Sequence(numbers);
    }

    private static Value namespace(Value.Arguments arguments, Budget budget) {
        budget.makeMapping(arguments.named().size());
        return new Value.Namespace(arguments.named());
    }

    private static Value dictionary(Value.Arguments arguments, Budget budget) {
        budget.makeMapping(arguments.named().size());
        var entries = new LinkedHashMap<Value, Value>();
        arguments.named().forEach((name, value) -> entries.put(new Value.Text(name), value));
        return new Value.Mapping(entries);
    }
}
