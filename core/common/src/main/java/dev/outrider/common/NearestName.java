package dev.outrider.common;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds the known name that a misspelt one probably means.
public final class NearestName {
    private static final int LONGEST = 200;
    private static final int MAX_CANDIDATES = 500;

    /// Endings of files; names of folders may have dots too, as in `qwen2.5-0.5b`.
    private static final List<String> ENDINGS =
            List.of(".gguf", ".yaml", ".yml", ".json", ".jsonl");

    private static final Comparator<Candidate> NEAREST_FIRST =
            Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name);

    private record Candidate(String name, String folded, int distance) {}

    private NearestName() {}

    /// Returns the known name that the user most likely meant: a few edits away, or one of the two
    /// begins with the other. Case, hyphens and underscores do not count. Empty if all are too
    /// different.
    public static Optional<String> to(String given, Collection<String> known) {
        return candidates(given, known).stream()
                .filter(candidate -> isNear(fold(given), candidate.folded()))
                .min(NEAREST_FIRST)
                .map(Candidate::name);
    }

    /// Returns the end of a message about a path that does not exist: `; did you mean 'NAME' there?` with a similar name in the same
    /// folder, or nothing. A file of a known kind is compared with files of that kind.
    public static String hint(Path missing) {
        var folder = missing.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return "";
        }
        var given = String.valueOf(missing.getFileName());
        var ending = ENDINGS.stream().filter(given::endsWith).findFirst().orElse("");
        try (var files = Files.list(folder)) {
            var stems =
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(ending))
                            .map(name -> name.substring(0, name.length() - ending.length()))
                            .toList();
            return to(given.substring(0, given.length() - ending.length()), stems)
                    .map(stem -> "; did you mean '%s%s' there?".formatted(stem, ending))
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    /// Returns at most `count` known names, nearest first at any distance, equal ones in
    /// alphabetical order.
    public static List<String> ranked(String given, Collection<String> known, int count) {
        return candidates(given, known).stream()
                .sorted(NEAREST_FIRST)
                .limit(count)
                .map(Candidate::name)
                .toList();
    }

    /// Returns known names with their distances. Of very many names only those with the longest
    /// common beginning and end are compared, because a distance takes much longer to compute.
    private static List<Candidate> candidates(String given, Collection<String> known) {
        var folded = fold(given);
        return likely(folded, known)
                .map(name -> new Candidate(name, fold(name), distance(folded, fold(name))))
                .toList();
    }

    private static Stream<String> likely(String folded, Collection<String> known) {
        if (known.size() <= MAX_CANDIDATES) {
            return known.stream();
        }
        return known.stream()
                .map(name -> new Candidate(name, fold(name), -common(folded, fold(name))))
                .sorted(NEAREST_FIRST)
                .limit(MAX_CANDIDATES)
                .map(Candidate::name);
    }

    /// Returns the letters of the common beginning and the common end.
    private static int common(String a, String b) {
        int shorter = Math.min(a.length(), b.length());
        int first = 0;
        while (first < shorter && a.charAt(first) == b.charAt(first)) {
            first++;
        }
        int last = 0;
        while (last < shorter - first
                && a.charAt(a.length() - 1 - last) == b.charAt(b.length() - 1 - last)) {
            last++;
        }
        return first + last;
    }

    /// Returns the edits between two words: insert, delete, replace, or swap of two neighbours
    /// (optimal string alignment).
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
