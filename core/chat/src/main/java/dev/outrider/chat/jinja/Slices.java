package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Python's slices of lists and strings.
final class Slices {
    private Slices() {}

    static Value of(Value object, Optional<Value> from, Optional<Value> to, Optional<Value> step) {
        int stride = step.map(Values::toInt).orElse(1);
        if (stride == 0) {
            throw new TemplateException("a slice has the step 0");
        }
        if (!(object instanceof Text) && !(object instanceof Sequence)) {
            throw Values.wrongKind(object, "a list or a string");
        }
        var elements = Values.elements(object);
        int size = elements.size();
        boolean forward = stride > 0;
        int start = from.map(value -> bound(value, size, forward)).orElse(forward ? 0 : size - 1);
        int end = to.map(value -> bound(value, size, forward)).orElse(forward ? size : -1);
        List<Value> chosen = new ArrayList<>();
        for (long i = start; forward ? i < end : i > end; i += stride) {
            chosen.add(elements.get((int) i));
        }
        return object instanceof Text ? joined(chosen) : new Sequence(chosen);
    }

    private static int bound(Value value, int size, boolean forward) {
        int index = Values.toInt(value);
        int absolute = index < 0 ? index + size : index;
        return forward ? Math.clamp(absolute, 0, size) : Math.clamp(absolute, -1, size - 1);
    }

    private static Value joined(List<Value> characters) {
        var text = new StringBuilder();
        characters.forEach(character -> text.append(Values.toText(character)));
        return new Text(text.toString());
    }
}
