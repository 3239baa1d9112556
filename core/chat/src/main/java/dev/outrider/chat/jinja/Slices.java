package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Python's slices of lists and strings.
final class Slices {
    private final Optional<Value> from;
    private final Optional<Value> to;
    private final int stride;
    private final Budget budget;

    private Slices(Optional<Value> from, Optional<Value> to, int stride, Budget budget) {
        this.from = from;
        this.to = to;
        this.stride = stride;
        this.budget = budget;
    }

    static Value of(
            Value object,
            Optional<Value> from,
            Optional<Value> to,
            Optional<Value> step,
            Budget budget) {
        int stride = step.map(Values::toInt).orElse(1);
        if (stride == 0) {
            throw new TemplateException("a slice has the step 0");
        }
        var slices = new Slices(from, to, stride, budget);
        if (object instanceof Text(String text)) {
            return slices.ofText(text);
        }
        if (object instanceof Sequence(List<Value> elements)) {
            return slices.ofList(elements);
        }
        throw Values.wrongKind(object, "a list or a string");
    }

    private Value ofList(List<Value> elements) {
        int start = start(elements.size());
        int end = end(elements.size());
        budget.makeList(count(start, end));
        List<Value> chosen = new ArrayList<>();
        for (long i = start; stride > 0 ? i < end : i > end; i += stride) {
            chosen.add(elements.get((int) i));
        }
        return new Sequence(chosen);
    }

    private Value ofText(String text) {
        budget.work(text.length());
        int size = text.codePointCount(0, text.length());
        int start = start(size);
        int end = end(size);
        if (stride == 1) {
            int first = text.offsetByCodePoints(0, start);
            int last = start < end ? text.offsetByCodePoints(first, end - start) : first;
            return budget.text(text.substring(first, last));
        }
        budget.make((long) Integer.BYTES * text.length());
        int[] points = text.codePoints().toArray();
        var chosen = new Output(budget);
        for (long i = start; stride > 0 ? i < end : i > end; i += stride) {
            chosen.addPoint(points[(int) i]);
        }
        return chosen.toText();
    }

    private int start(int size) {
        return from.map(value -> bound(value, size)).orElse(stride > 0 ? 0 : size - 1);
    }

    private int end(int size) {
        return to.map(value -> bound(value, size)).orElse(stride > 0 ? size : -1);
    }

    private long count(long start, long end) {
        return Math.max(0, Math.ceilDiv(end - start, stride));
    }

    private int bound(Value value, int size) {
        int index = Values.toInt(value);
        int absolute = index < 0 ? index + size : index;
        return stride > 0 ? Math.clamp(absolute, 0, size) : Math.clamp(absolute, -1, size - 1);
    }
}
