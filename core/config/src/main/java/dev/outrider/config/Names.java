package dev.outrider.config;

import dev.outrider.common.NearestName;
import java.util.Collection;
import java.util.Locale;

/// Spelling of names: camelCase is canonical, kebab-case is accepted, and a typo gets a suggestion.
final class Names {
    private Names() {}

    /// Returns `draftLength` for `draft-length` and `draftLength`.
    static String camel(String key) {
        var result = new StringBuilder(key.length());
        for (int i = 0; i < key.length(); i++) {
            boolean hyphen =
                    key.charAt(i) == '-'
                            && i > 0
                            && i + 1 < key.length()
                            && key.charAt(i + 1) != '-';
            if (hyphen) {
                result.append(Character.toUpperCase(key.charAt(++i)));
            } else {
                result.append(key.charAt(i));
            }
        }
        return result.toString();
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
