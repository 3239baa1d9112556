package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.None;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Truth;
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
            case "split" -> (a, budget) -> TextSplits.split(text, a, false, budget);
            case "rsplit" -> (a, budget) -> TextSplits.split(text, a, true, budget);
            case "splitlines" -> (_, budget) -> TextSplits.lines(text, budget);
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
        int at = wanted.isEmpty() ? 0 : TextSearch.forwards(wanted, budget).in(text, 0);
        return at < 0 ? -1 : text.codePointCount(0, at);
    }

    private static long findLast(String text, Arguments arguments, Budget budget) {
        var wanted = wanted(arguments);
        int fromEnd = wanted.isEmpty() ? 0 : TextSearch.backwards(wanted, budget).in(text, 0);
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
        var search = TextSearch.forwards(old, budget);
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
                : TextSearch.forwards(wanted, budget).count(text);
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
}
