package dev.outrider.common;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Guesses which known name a misspelt one was meant to be.
public final class NearestName {
    private static final int LONGEST = 200;

    private NearestName() {}

    /// The known name a user most likely meant: a few edits away, or one of the two begins with the other.
    /// Case, hyphens and underscores do not count. Empty when all are far away.
    public static Optional<String> to(String given, Collection<String> known) {
        return known.stream()
                .filter(candidate -> isNear(fold(given), fold(candidate)))
                .min(nearestFirst(given));
    }

    /// At most `count` known names, nearest first however far away, equals in alphabetical order.
    public static List<String> ranked(String given, Collection<String> known, int count) {
        return known.stream().sorted(nearestFirst(given)).limit(count).toList();
    }

    /// Edits between two words: insert, delete, replace, or swap of two neighbours (optimal string alignment).
    public static int distance(String a, String b) {
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

    private static Comparator<String> nearestFirst(String given) {
        return Comparator.comparingInt((String name) -> distance(fold(given), fold(name)))
                .thenComparing(Comparator.naturalOrder());
    }

    private static boolean isNear(String a, String b) {
        int length = Math.max(a.length(), b.length());
        boolean prefix =
                Math.min(a.length(), b.length()) >= 3 && (a.startsWith(b) || b.startsWith(a));
        return prefix || distance(a, b) <= Math.max(1, (length + 1) / 3);
    }

    private static String fold(String name) {
        String shortened = name.length() <= LONGEST ? name : name.substring(0, LONGEST);
        return shortened.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }
}
