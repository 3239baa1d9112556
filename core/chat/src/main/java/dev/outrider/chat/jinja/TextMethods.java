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
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/// Python's methods of strings.
final class TextMethods {
    private static final Set<String> NAMES =
            Set.of(
                    "strip",
                    "lstrip",
                    "rstrip",
                    "split",
                    "rsplit",
                    "splitlines",
                    "startswith",
                    "endswith",
                    "upper",
                    "lower",
                    "title",
                    "capitalize",
                    "replace",
                    "join",
                    "find",
                    "rfind",
                    "count",
                    "removeprefix",
                    "removesuffix",
                    "isdigit",
                    "isalpha",
                    "isspace",
                    "isupper",
                    "islower");

    private TextMethods() {}

    static Optional<Value.Callable> of(String text, String name) {
        return NAMES.contains(name)
                ? Optional.of((arguments, budget) -> call(text, name, arguments, budget))
                : Optional.empty();
    }

    private static Value call(String text, String name, Arguments arguments, Budget budget) {
        budget.work(text.length());
        return switch (name) {
            case "strip" -> strip(text, arguments, true, true, budget);
            case "lstrip" -> strip(text, arguments, true, false, budget);
            case "rstrip" -> strip(text, arguments, false, true, budget);
            case "split" -> Splits.split(text, arguments, false, budget);
            case "rsplit" -> Splits.split(text, arguments, true, budget);
            case "splitlines" -> Splits.lines(text, budget);
            case "startswith" -> new Truth(anyOf(arguments, text::startsWith, budget));
            case "endswith" -> new Truth(anyOf(arguments, text::endsWith, budget));
            case "upper" -> budget.text(text.toUpperCase(Locale.ROOT));
            case "lower" -> budget.text(text.toLowerCase(Locale.ROOT));
            case "title" -> title(text, budget);
            case "capitalize" -> capitalize(text, budget);
            case "replace" ->
                    replace(
                            text,
                            Values.toText(arguments.get(0, "old")),
                            Values.toText(arguments.get(1, "new")),
                            Values.toInt(arguments.get(2, "count", new Int(-1))),
                            budget);
            case "join" ->
                    join(text, Values.elements(arguments.get(0, "iterable"), budget), budget);
            case "find" -> new Int(find(text, arguments, budget));
            case "rfind" -> new Int(findLast(text, arguments, budget));
            case "count" -> new Int(occurrences(text, wanted(arguments), budget));
            case "removeprefix" -> {
                var prefix = Values.toText(arguments.get(0, "prefix"));
                yield budget.text(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
            }
            case "removesuffix" -> {
                var suffix = Values.toText(arguments.get(0, "suffix"));
                yield budget.text(
                        text.endsWith(suffix)
                                ? text.substring(0, text.length() - suffix.length())
                                : text);
            }
            case "isdigit" -> all(text, Character::isDigit);
            case "isalpha" -> all(text, Character::isLetter);
            case "isspace" -> all(text, Character::isWhitespace);
            case "isupper" -> new Truth(Predicates.isUpper(text, budget));
            case "islower" -> new Truth(Predicates.isLower(text, budget));
            default -> throw new TemplateException("strings have no '%s'".formatted(name));
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
        var result = new Output(budget);
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
        var result = new Output(budget);
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
        var result = new Output(budget);
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
        var result = new Output(budget);
        for (int i = 0; i < elements.size(); i++) {
            result.add(i > 0 ? separator : "");
            budget.work(1);
            Printing.str(elements.get(i), result);
        }
        return result.toText();
    }
}
