package dev.outrider.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Spelling of names: camelCase is canonical, kebab-case is accepted, and a typo gets a suggestion.
final class Names {
    private Names() {}

    /// `draft-length` and `draftLength` both as `draftLength`.
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

    /// `LevelWidths`, `levelWidths` and `LEVEL_WIDTHS` as `level-widths`.
    static String kebab(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .replace('_', '-')
                .toLowerCase(Locale.ROOT);
    }

    /// The candidate a user most likely meant, or none if all are far away.
    static Optional<String> nearest(String given, Collection<String> candidates) {
        String wanted = fold(given);
        return candidates.stream()
                .filter(candidate -> isNear(wanted, fold(candidate)))
                .min(
                        Comparator.comparingInt(
                                        (String candidate) -> distance(wanted, fold(candidate)))
                                .thenComparing(Comparator.naturalOrder()));
    }

    /// `; did you mean 'x'? (known: x, y)`, or `; known: x, y` when nothing is near.
    static String hint(String given, Collection<String> candidates, String label) {
        String all =
                label + ": " + (candidates.isEmpty() ? "(none)" : String.join(", ", candidates));
        return nearest(given, candidates)
                .map(name -> "; did you mean '" + name + "'? (" + all + ")")
                .orElse("; " + all);
    }

    private static boolean isNear(String a, String b) {
        int length = Math.max(a.length(), b.length());
        boolean prefix =
                Math.min(a.length(), b.length()) >= 3 && (a.startsWith(b) || b.startsWith(a));
        return prefix || distance(a, b) <= Math.max(1, (length + 1) / 3);
    }

    private static String fold(String name) {
        String shortened = name.length() <= 80 ? name : name.substring(0, 80);
        return shortened.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /// Edits between two words: insert, delete, replace, or swap of two neighbours (optimal string alignment).
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            cost[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            cost[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int best = Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1);
                best = Math.min(best, cost[i - 1][j - 1] + replace);
                boolean swapped =
                        i > 1
                                && j > 1
                                && a.charAt(i - 1) == b.charAt(j - 2)
                                && a.charAt(i - 2) == b.charAt(j - 1);
                cost[i][j] = swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
            }
        }
        return cost[a.length()][b.length()];
    }
}
