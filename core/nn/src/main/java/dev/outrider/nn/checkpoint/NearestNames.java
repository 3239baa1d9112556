package dev.outrider.nn.checkpoint;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Finds the names that a misspelt one may have meant.
final class NearestNames {
    private static final int LONGEST = 200;

    private NearestNames() {}

    /// At most `count` names, nearest by edit distance first, equals in alphabetical order.
    static List<String> of(String wanted, Collection<String> names, int count) {
        return names.stream()
                .map(name -> new Candidate(name, distance(cut(wanted), cut(name))))
                .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
                .limit(count)
                .map(Candidate::name)
                .toList();
    }

    private record Candidate(String name, int distance) {}

    private static String cut(String name) {
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST);
    }

    private static int distance(String a, String b) {
        var row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
