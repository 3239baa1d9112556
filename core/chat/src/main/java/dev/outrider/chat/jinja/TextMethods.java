package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Arguments;
import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.None;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import dev.outrider.chat.jinja.Value.Truth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/// Python's methods of strings.
final class TextMethods {
    private static final String NAMES =
            " strip lstrip rstrip split rsplit splitlines startswith endswith upper lower title capitalize replace"
                    + " join find rfind count removeprefix removesuffix isdigit isalpha isspace isupper islower ";

    private TextMethods() {}

    static Optional<Value.Callable> of(String text, String name, Budget budget) {
        return NAMES.contains(" " + name + " ")
                ? Optional.of(arguments -> call(text, name, arguments, budget))
                : Optional.empty();
    }

    private static Value call(String text, String name, Arguments arguments, Budget budget) {
        budget.work(text.length());
        return switch (name) {
            case "strip" -> new Text(strip(text, arguments, true, true));
            case "lstrip" -> new Text(strip(text, arguments, true, false));
            case "rstrip" -> new Text(strip(text, arguments, false, true));
            case "split" -> split(text, arguments, false);
            case "rsplit" -> split(text, arguments, true);
            case "splitlines" -> texts(text.lines().toList());
            case "startswith" -> new Truth(anyOf(arguments, text::startsWith));
            case "endswith" -> new Truth(anyOf(arguments, text::endsWith));
            case "upper" -> new Text(text.toUpperCase(Locale.ROOT));
            case "lower" -> new Text(text.toLowerCase(Locale.ROOT));
            case "title" -> new Text(title(text));
            case "capitalize" -> new Text(capitalize(text));
            case "replace" ->
                    replace(
                            text,
                            Values.toText(arguments.get(0, "old")),
                            Values.toText(arguments.get(1, "new")),
                            Values.toInt(arguments.get(2, "count", new Int(-1))),
                            budget);
            case "join" -> join(text, Values.elements(arguments.get(0, "iterable")), budget);
            case "find" -> new Int(text.indexOf(Values.toText(arguments.get(0, "sub"))));
            case "rfind" -> new Int(text.lastIndexOf(Values.toText(arguments.get(0, "sub"))));
            case "count" -> new Int(occurrences(text, Values.toText(arguments.get(0, "sub"))));
            case "removeprefix" -> {
                var prefix = Values.toText(arguments.get(0, "prefix"));
                yield new Text(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
            }
            case "removesuffix" -> {
                var suffix = Values.toText(arguments.get(0, "suffix"));
                yield new Text(
                        text.endsWith(suffix)
                                ? text.substring(0, text.length() - suffix.length())
                                : text);
            }
            case "isdigit" -> all(text, Character::isDigit);
            case "isalpha" -> all(text, Character::isLetter);
            case "isspace" -> all(text, Character::isWhitespace);
            case "isupper" -> new Truth(Predicates.isUpper(text));
            case "islower" -> new Truth(Predicates.isLower(text));
            default -> throw new TemplateException("strings have no '%s'".formatted(name));
        };
    }

    private static Value all(String text, IntPredicate condition) {
        return new Truth(!text.isEmpty() && text.codePoints().allMatch(condition));
    }

    private static boolean anyOf(Arguments arguments, Predicate<String> test) {
        var wanted = arguments.get(0, "prefix");
        return wanted instanceof Sequence(List<Value> elements, long _)
                ? elements.stream().map(Values::toText).anyMatch(test)
                : test.test(Values.toText(wanted));
    }

    private static String strip(String text, Arguments arguments, boolean left, boolean right) {
        var characters = arguments.get(0, "chars", new None());
        return characters instanceof None
                ? strip(text, Character::isWhitespace, left, right)
                : strip(text, point -> Values.toText(characters).indexOf(point) >= 0, left, right);
    }

    /// The text without the characters at its ends that satisfy a condition.
    static String strip(String text, IntPredicate condition, boolean left, boolean right) {
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

    private static Value split(String text, Arguments arguments, boolean fromRight) {
        var separator = arguments.get(0, "sep", new None());
        int limit = Values.toInt(arguments.get(1, "maxsplit", new Int(-1)));
        if (separator instanceof None) {
            var stripped = strip(text, Character::isWhitespace, true, true);
            if (limit >= 0) {
                throw new TemplateException("split at whitespace takes no maxsplit here");
            }
            return texts(stripped.isEmpty() ? List.of() : List.of(stripped.split("\\s+")));
        }
        var between = Values.toText(separator);
        if (between.isEmpty()) {
            throw new TemplateException("split at an empty string");
        }
        var parts = new ArrayList<String>();
        var rest = text;
        while (limit < 0 || parts.size() < limit) {
            int at = fromRight ? rest.lastIndexOf(between) : rest.indexOf(between);
            if (at < 0) {
                break;
            }
            parts.add(fromRight ? rest.substring(at + between.length()) : rest.substring(0, at));
            rest = fromRight ? rest.substring(0, at) : rest.substring(at + between.length());
        }
        parts.add(rest);
        return texts(fromRight ? parts.reversed() : parts);
    }

    private static Value texts(List<String> texts) {
        return new Sequence(texts.stream().map(text -> (Value) new Text(text)).toList());
    }

    static String capitalize(String text) {
        return text.isEmpty()
                ? text
                : text.substring(0, 1).toUpperCase(Locale.ROOT)
                        + text.substring(1).toLowerCase(Locale.ROOT);
    }

    static String title(String text) {
        var result = new StringBuilder();
        boolean inWord = false;
        for (int point : text.codePoints().toArray()) {
            result.appendCodePoint(
                    inWord ? Character.toLowerCase(point) : Character.toTitleCase(point));
            inWord = Character.isLetter(point);
        }
        return result.toString();
    }

    /// @param limit how many at most; negative means all
    static Value replace(String text, String old, String fresh, int limit, Budget budget) {
        long found = old.isEmpty() ? text.length() + 1L : occurrences(text, old);
        long count = limit < 0 ? found : Math.min(found, limit);
        budget.use(text.length() + count * fresh.length());
        if (limit < 0) {
            return new Text(text.replace(old, fresh));
        }
        var result = new StringBuilder();
        int from = 0;
        for (long i = 0; i < count; i++) {
            int at = text.indexOf(old, old.isEmpty() ? (int) i : from);
            result.append(text, from, at).append(fresh);
            from = at + old.length();
        }
        return new Text(result.append(text.substring(from)).toString());
    }

    private static long occurrences(String text, String wanted) {
        long count = 0;
        int step = Math.max(1, wanted.length());
        for (int at = text.indexOf(wanted);
                at >= 0 && at < text.length();
                at = text.indexOf(wanted, at + step)) {
            count++;
        }
        return wanted.isEmpty() ? text.length() + 1L : count;
    }

    static Value join(String separator, List<Value> elements, Budget budget) {
        var parts = elements.stream().map(Printing::str).toList();
        long separators = (long) separator.length() * Math.max(0, parts.size() - 1);
        budget.use(separators + parts.stream().mapToLong(String::length).sum());
        return new Text(String.join(separator, parts));
    }
}
