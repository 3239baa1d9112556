package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.None;
import dev.outrider.chat.jinja.Value.Sequence;
import java.util.ArrayList;
import java.util.List;

/// Python's methods that split a string into a list. Every part is charged before it is made.
final class TextSplits {
    private final String text;
    private final Budget budget;
    private final List<Value> parts = new ArrayList<>();

    private TextSplits(String text, Budget budget) {
        this.text = text;
        this.budget = budget;
        budget.make(Budget.Footprint.LIST);
    }

    static Value split(String text, Arguments arguments, boolean fromRight, Budget budget) {
        var separator = arguments.get(0, "sep", new None());
        int limit = Values.toInt(arguments.get(1, "maxsplit", new Int(-1)));
        var splits = new TextSplits(text, budget);
        if (separator instanceof None) {
            if (limit >= 0) {
                throw new TemplateException("split at whitespace takes no maxsplit here");
            }
            return splits.atWhitespace();
        }
        var between = Values.toText(separator);
        if (between.isEmpty()) {
            throw new TemplateException("split at an empty string");
        }
        return fromRight ? splits.fromRight(between, limit) : splits.fromLeft(between, limit);
    }

    static Value lines(String text, Budget budget) {
        var splits = new TextSplits(text, budget);
        int start = 0;
        while (start < text.length()) {
            int end = start;
            while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
                end++;
            }
            splits.cut(start, end);
            start = end + (text.startsWith("\r\n", end) ? 2 : 1);
        }
        return new Sequence(splits.parts);
    }

    private Value atWhitespace() {
        int start = 0;
        for (int at = 0; at <= text.length(); at++) {
            if (at == text.length() || Character.isWhitespace(text.charAt(at))) {
                if (at > start) {
                    cut(start, at);
                }
                start = at + 1;
            }
        }
        return new Sequence(parts);
    }

    private Value fromLeft(String between, int limit) {
        var search = TextSearch.forwards(between, budget);
        int start = 0;
        int at = limit == 0 ? -1 : search.in(text, 0);
        while (at >= 0) {
            cut(start, at);
            start = at + between.length();
            at = parts.size() == limit ? -1 : search.in(text, start);
        }
        cut(start, text.length());
        return new Sequence(parts);
    }

    private Value fromRight(String between, int limit) {
        var search = TextSearch.backwards(between, budget);
        int size = text.length();
        int start = 0;
        int at = limit == 0 ? -1 : search.in(text, 0);
        while (at >= 0) {
            cut(size - at, size - start);
            start = at + between.length();
            at = parts.size() == limit ? -1 : search.in(text, start);
        }
        cut(0, size - start);
        return new Sequence(parts.reversed());
    }

    private void cut(int from, int to) {
        budget.make(Budget.Footprint.ELEMENT);
        parts.add(budget.text(text.substring(from, to)));
    }
}
