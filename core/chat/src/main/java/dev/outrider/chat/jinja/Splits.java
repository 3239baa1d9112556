package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.None;
import dev.outrider.chat.jinja.Value.Sequence;
import java.util.ArrayList;
import java.util.List;

/// Python's methods that split a string into a list. Every part is charged before it is made.
final class Splits {
    private final String text;
    private final Budget budget;
    private final List<Value> parts = new ArrayList<>();

    private Splits(String text, Budget budget) {
        this.text = text;
        this.budget = budget;
        budget.make(Budget.Footprint.LIST);
    }

    static Value split(String text, Arguments arguments, boolean fromRight, Budget budget) {
        var separator = arguments.get(0, "sep", new None());
        int limit = Values.toInt(arguments.get(1, "maxsplit", new Int(-1)));
        var splits = new Splits(text, budget);
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
        var splits = new Splits(text, budget);
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
        var search = Search.forwards(between, budget);
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
        var search = Search.backwards(between, budget);
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

    /// Finds a text in other texts in time linear in both.
    ///
    /// @see "Knuth, Morris and Pratt 1977"
    static final class Search {
        private final String wanted;
        private final boolean backwards;
        private final Budget budget;

        /// For each prefix length, the length of its longest proper prefix that is also its suffix.
        private final int[] borders;

        private Search(String wanted, boolean backwards, Budget budget) {
            this.wanted = wanted;
            this.backwards = backwards;
            this.budget = budget;
            budget.work(wanted.length());
            budget.make((long) Integer.BYTES * wanted.length());
            borders = borders();
        }

        /// @param wanted not empty
        static Search forwards(String wanted, Budget budget) {
            return new Search(wanted, false, budget);
        }

        /// Returns a search from the end: positions are counted from the end of the text to the end
        /// of the match.
        ///
        /// @param wanted not empty
        static Search backwards(String wanted, Budget budget) {
            return new Search(wanted, true, budget);
        }

        static boolean contains(String text, String wanted, Budget budget) {
            return wanted.isEmpty() || forwards(wanted, budget).in(text, 0) >= 0;
        }

        /// Returns the number of occurrences without overlaps.
        long count(String text) {
            long count = 0;
            for (int at = in(text, 0); at >= 0; at = in(text, at + wanted.length())) {
                count++;
            }
            return count;
        }

        /// Returns the first position at or after `from`, or -1.
        int in(String text, int from) {
            int matched = 0;
            for (int at = from; at < text.length(); at++) {
                char next = at(text, at);
                while (matched > 0 && at(wanted, matched) != next) {
                    matched = borders[matched - 1];
                }
                if (at(wanted, matched) == next) {
                    matched++;
                }
                if (matched == wanted.length()) {
                    budget.work(at + 1L - from);
                    return at + 1 - matched;
                }
            }
            budget.work(text.length() - from);
            return -1;
        }

        private int[] borders() {
            var result = new int[wanted.length()];
            int border = 0;
            for (int length = 1; length < result.length; length++) {
                while (border > 0 && at(wanted, border) != at(wanted, length)) {
                    border = result[border - 1];
                }
                if (at(wanted, border) == at(wanted, length)) {
                    border++;
                }
                result[length] = border;
            }
            return result;
        }

        private char at(String text, int place) {
            return text.charAt(backwards ? text.length() - 1 - place : place);
        }
    }
}
