package dev.outrider.config;

import dev.outrider.common.NearestName;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Spelling of names: camelCase is canonical, kebab-case is accepted, and a typo gets a suggestion.
final class Names {
    /// The key that selects a component or an alternative by name.
    static final String USE = "use";

    /// A hyphen inside a name, with the letter after it.
    private static final Pattern HYPHEN = Pattern.compile("(?s)(?<=.)-([^-])");

    private Names() {}

    /// Returns `draftLength` for `draft-length` and `draftLength`.
    static String camel(String key) {
        return HYPHEN.matcher(key)
                .replaceAll(found ->
                        Matcher.quoteReplacement(
                                Character.toString(
                                        Character.toUpperCase(found.group(1).codePointAt(0)))));
    }

    /// Returns `level-widths` for `LevelWidths`, `levelWidths` and `LEVEL_WIDTHS`.
    static String kebab(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .replace('_', '-')
                .toLowerCase(Locale.ROOT);
    }

    /// Returns `; did you mean 'x'? (known: x, y)`, or `; known: x, y` if no name is near.
    static String hint(String given, Collection<String> candidates, String label) {
        return hinted(given, candidates, listed(label, candidates));
    }

    /// Like [#hint], with a given text for the list of candidates.
    static String hinted(String given, Collection<String> candidates, String all) {
        return NearestName.to(given, candidates)
                .map(name -> "; did you mean '" + name + "'? (" + all + ")")
                .orElse("; " + all);
    }

    /// Returns `known: x, y`.
    static String listed(String label, Collection<String> names) {
        return label + ": " + (names.isEmpty() ? "(none)" : String.join(", ", names));
    }

    /// Returns `a drafter`, `an acceptance rule`.
    static String withArticle(String noun) {
        return ("aeiou".indexOf(noun.charAt(0)) < 0 ? "a " : "an ") + noun;
    }
}
