package dev.outrider.demo.corpus;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// English grammar helpers: articles, capitals, lists, and filling the slots of a sentence.
final class Prose {
    private static final Pattern SLOT = Pattern.compile("\\{([aA] )?(\\w+)}");

    private Prose() {}

    /// Returns the template with the values in its slots: `{key}`, `{Key}` with a capital letter,
    /// `{a key}` with an article.
    static String fill(String template, Map<String, ?> values) {
        return SLOT.matcher(template)
                .replaceAll(slot -> {
                    var key = slot.group(2);
                    var value =
                            values.get(
                                    key.substring(0, 1).toLowerCase(Locale.ROOT)
                                            + key.substring(1));
                    if (value == null) {
                        throw new IllegalStateException(
                                "no value for %s in: %s".formatted(key, template));
                    }
                    var phrase =
                            slot.group(1) == null
                                    ? value.toString()
                                    : withArticle(value.toString());
                    boolean begins = Character.isUpperCase(slot.group().charAt(1));
                    return Matcher.quoteReplacement(begins ? capital(phrase) : phrase);
                });
    }

    private static String withArticle(String phrase) {
        return (beginsWithVowel(phrase) ? "an " : "a ") + phrase;
    }

    static boolean beginsWithVowel(String phrase) {
        return "aeiou".indexOf(phrase.charAt(0)) >= 0;
    }

    static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    /// Returns `the a`, `the a and the b`, `the a, the b and the c`.
    static String listed(List<String> things) {
        var items = things.stream().map(thing -> "the " + thing).toList();
        int last = items.size() - 1;
        return last == 0
                ? items.getFirst()
                : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
    }

    /// Returns `1 apple`, `2 apples`.
    static String counted(int count, String plural) {
        return count + " " + (count == 1 ? singular(plural) : plural);
    }

    static String singular(String plural) {
        return plural.replaceFirst("(?<=[ox])es$|s$", "");
    }
}
