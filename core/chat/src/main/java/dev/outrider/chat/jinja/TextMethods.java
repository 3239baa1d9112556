package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.None;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Truth;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Python's methods of strings.
final class TextMethods {
    private TextMethods() {}

    /// Returns a method of a string, if strings have one of this name.
    static Optional<Value.Callable> of(String text, String name) {
        return Optional.ofNullable(method(text, name))
                .map(method ->
                        (arguments, budget) -> {
                            budget.work(text.length());
                            return method.call(arguments, budget);
                        });
    }

    private static Value.@Nullable Callable method(String text, String name) {
        return switch (name) {
            case "strip" -> (a, budget) -> strip(text, a, true, true, budget);
            case "lstrip" -> (a, budget) -> strip(text, a, true, false, budget);
            case "rstrip" -> (a, budget) -> strip(text, a, false, true, budget);
            case "split" -> (a, budget) -> Splits.split(text, a, false, budget);
            case "rsplit" -> (a, budget) -> Splits.split(text, a, true, budget);
            case "splitlines" -> (_, budget) -> Splits.lines(text, budget);
            case "startswith" -> (a, budget) -> new Truth(anyOf(a, text::startsWith, budget));
            case "endswith" -> (a, budget) -> new Truth(anyOf(a, text::endsWith, budget));
            case "upper" -> (_, budget) -> budget.text(text.toUpperCase(Locale.ROOT));
            case "lower" -> (_, budget) -> budget.text(text.toLowerCase(Locale.ROOT));
            case "title" -> (_, budget) -> title(text, budget);
            case "capitalize" -> (_, budget) -> capitalize(text, budget);
            case "replace" ->
                    (a, budget) ->
                            replace(
                                    text,
                                    Values.toText(a.get(0, "old")),
                                    Values.toText(a.get(1, "new")),
                                    Values.toInt(a.get(2, "count", new Int(-1))),
                                    budget);
            case "join" ->
                    (a, budget) ->
                            join(text, Values.elements(a.get(0, "iterable"), budget), budget);
            case "find" -> (a, budget) -> new Int(find(text, a, budget));
            case "rfind" -> (a, budget) -> new Int(findLast(text, a, budget));
            case "count" -> (a, budget) -> new Int(occurrences(text, wanted(a), budget));
            case "removeprefix" ->
                    (a, budget) -> {
                        var prefix = Values.toText(a.get(0, "prefix"));
                        int from = text.startsWith(prefix) ? prefix.length() : 0;
                        return budget.text(text.substring(from));
                    };
            case "removesuffix" ->
                    (a, budget) -> {
                        var suffix = Values.toText(a.get(0, "suffix"));
                        int less = text.endsWith(suffix) ? suffix.length() : 0;
                        return budget.text(text.substring(0, text.length() - less));
                    };
            case "isdigit" -> (_, _) -> all(text, Character::isDigit);
            case "isalpha" -> (_, _) -> all(text, Character::isLetter);
            case "isspace" -> (_, _) -> all(text, Character::isWhitespace);
            case "isupper" -> (_, budget) -> new Truth(Predicates.hasCase("upper", text, budget));
            case "islower" -> (_, budget) -> new Truth(Predicates.hasCase("lower", text, budget));
            default -> null;
        };
    }

    private static String wanted(Arguments arguments) {
        return Values.toText(arguments.get(0, "sub"));
    }

    /// Positions are code points, as in Python.
    private static long find(String text, Arguments arguments, Budget budget) {
        var wanted = wanted(arguments);
        int at = wanted.isEmpty() ? 0 : Splits.Search.forwards(wanted, budget).in(text, 0);
        return at < 0 ? -1 : text.codePointCount(0, at);
    }

    private static long findLast(String text, Arguments arguments, Budget budget) {
        var wanted = wanted(arguments);
        int fromEnd = wanted.isEmpty() ? 0 : Splits.Search.backwards(wanted, budget).in(text, 0);
        return fromEnd < 0 ? -1 : text.codePointCount(0, text.length() - fromEnd - wanted.length());
    }

    private static Value all(String text, IntPredicate condition) {
        return new Truth(!text.isEmpty() && text.codePoints().allMatch(condition));
    }

    private static boolean anyOf(Arguments arguments, Predicate<String> test, Budget budget) {
        var wanted = arguments.get(0, "prefix");
        return wanted instanceof Sequence(List<Value> elements)
                ? elements.stream()
                        .map(Values::toText)
                        .peek(text -> budget.work(text.length() + 1L))
                        .anyMatch(test)
                : test.test(Values.toText(wanted));
    }

    /// Returns the text without the characters of the argument `chars` at its ends, or without
    /// whitespace there.
    static Value strip(
            String text, Arguments arguments, boolean left, boolean right, Budget budget) {
        budget.work(text.length());
        var characters = arguments.get(0, "chars", new None());
        if (characters instanceof None) {
            return budget.text(strip(text, Character::isWhitespace, left, right));
        }
        var unwanted = new BitSet();
        Values.toText(characters)
                .codePoints()
                .forEach(point -> {
                    budget.work(1);
                    unwanted.set(point);
                });
        budget.make(unwanted.size() / Byte.SIZE);
        return budget.text(strip(text, unwanted::get, left, right));
    }

    /// Returns the text without whitespace at its ends.
    static String stripped(String text, Budget budget) {
        budget.makeText(text.length());
        return strip(text, Character::isWhitespace, true, true);
    }

    /// Returns the text without those characters at its ends that satisfy a condition.
    private static String strip(String text, IntPredicate condition, boolean left, boolean right) {
        int start = 0;
        int end = text.length();
        while (left && start < end && condition.test(text.codePointAt(start))) {
            start += Character.charCount(text.codePointAt(start));
        }
        while (right && end > start && condition.test(text.codePointBefore(end))) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(start, end);
    }

    static Value capitalize(String text, Budget budget) {
        budget.makeText(text.length());
        return budget.text(
                text.isEmpty()
                        ? text
                        : text.substring(0, 1).toUpperCase(Locale.ROOT)
                                + text.substring(1).toLowerCase(Locale.ROOT));
    }

    static Value title(String text, Budget budget) {
        var result = new Printing.Output(budget);
        boolean inWord = false;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            result.addPoint(inWord ? Character.toLowerCase(point) : Character.toTitleCase(point));
            inWord = Character.isLetter(point);
            at += Character.charCount(point);
        }
        return result.toText();
    }

    /// @param limit maximum number of replacements; negative for all
    static Value replace(String text, String old, String fresh, int limit, Budget budget) {
        if (old.isEmpty()) {
            return interleaved(text, fresh, limit, budget);
        }
        var search = Splits.Search.forwards(old, budget);
        var result = new Printing.Output(budget);
        int from = 0;
        int at = limit == 0 ? -1 : search.in(text, 0);
        for (int count = 1; at >= 0; count++) {
            result.add(text, from, at).add(fresh);
            from = at + old.length();
            at = count == limit ? -1 : search.in(text, from);
        }
        return result.add(text, from, text.length()).toText();
    }

    /// Inserts the new text before every character and at the end, up to the limit.
    private static Value interleaved(String text, String fresh, int limit, Budget budget) {
        var result = new Printing.Output(budget);
        int at = 0;
        for (int count = 0; count != limit && at < text.length(); count++) {
            result.add(fresh).addPoint(text.codePointAt(at));
            at += Character.charCount(text.codePointAt(at));
        }
        boolean unlimited = limit < 0 || text.codePointCount(0, text.length()) < limit;
        return result.add(text, at, text.length()).add(unlimited ? fresh : "").toText();
    }

    private static long occurrences(String text, String wanted, Budget budget) {
        return wanted.isEmpty()
                ? text.codePointCount(0, text.length()) + 1L
                : Splits.Search.forwards(wanted, budget).count(text);
    }

    static Value join(String separator, List<Value> elements, Budget budget) {
        var result = new Printing.Output(budget);
        for (int i = 0; i < elements.size(); i++) {
            result.add(i > 0 ? separator : "");
            budget.work(1);
            Printing.str(elements.get(i), result);
        }
        return result.toText();
    }

    /// Python's methods that split a string into a list. Every part is charged before it is made.
    static final class Splits {
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
                while (end < text.length()
                        && text.charAt(end) != '\n'
                        && text.charAt(end) != '\r') {
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
}
