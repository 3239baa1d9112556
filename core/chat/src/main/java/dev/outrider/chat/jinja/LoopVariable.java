package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Truth;
import dev.outrider.chat.jinja.Value.Undefined;
import java.util.LinkedHashMap;
import java.util.List;

/// The variable `loop`: where a loop is.
final class LoopVariable {
    private LoopVariable() {}

    static Value of(List<Value> items, int index) {
        int size = items.size();
        var fields = new LinkedHashMap<String, Value>();
        fields.put("index", new Int(index + 1));
        fields.put("index0", new Int(index));
        fields.put("revindex", new Int(size - index));
        fields.put("revindex0", new Int(size - index - 1));
        fields.put("first", new Truth(index == 0));
        fields.put("last", new Truth(index == size - 1));
        fields.put("length", new Int(size));
        fields.put("previtem", index > 0 ? items.get(index - 1) : new Undefined("previtem"));
        fields.put("nextitem", index < size - 1 ? items.get(index + 1) : new Undefined("nextitem"));
        fields.put(
                "cycle",
                new Value.Function(
                        "cycle",
                        arguments -> {
                            var choices = arguments.positional();
                            if (choices.isEmpty()) {
                                throw new TemplateException(
                                        "loop.cycle has nothing to choose from");
                            }
                            return choices.get(index % choices.size());
                        }));
        return new Value.Namespace(fields);
    }
}
