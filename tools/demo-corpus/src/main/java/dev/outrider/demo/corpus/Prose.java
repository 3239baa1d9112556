package dev.outrider.demo.corpus;

import java.util.List;

/// English grammar helpers: articles, plurals, capitals, and filling the slots of a sentence.
final class Prose {
    private Prose() {}

    /// Replaces `{key}` by its value. A slot `{Key}` gets the value with a capital letter.
    static String fill(String template, Object... keysAndValues) {
        String filled = template;
        for (int i = 0; i < keysAndValues.length; i += 2) {
            var key = (String) keysAndValues[i];
            var value = String.valueOf(keysAndValues[i + 1]);
            filled = filled.replace("{" + key + "}", value);
            filled = filled.replace("{" + capital(key) + "}", capital(value));
        }
        if (filled.indexOf('{') >= 0) {
            throw new IllegalStateException("unfilled slot in: " + filled);
        }
        return filled;
    }

    /// Returns the noun phrase with `a` or `an` before it.
    static String withArticle(String phrase) {
        return ("aeiou".indexOf(phrase.charAt(0)) >= 0 ? "an " : "a ") + phrase;
    }

    static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    /// `1 apple`, `2 apples`.
    static String counted(int count, String singular, String plural) {
        return count + " " + (count == 1 ? singular : plural);
    }

    /// `a`, `a and b`, `a, b and c`.
    static String listed(List<String> items) {
        int last = items.size() - 1;
        if (last == 0) {
            return items.getFirst();
        }
        return String.join(", ", items.subList(0, last)) + " and " + items.get(last);
    }
}
