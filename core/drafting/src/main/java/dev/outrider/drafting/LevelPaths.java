package dev.outrider.drafting;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Trees whose nodes of a level all have the same number of children, as rank paths.
public final class LevelPaths {
    private LevelPaths() {}

    /// All paths, level by level and by rising rank.
    ///
    /// @param widths children of each node by level
    public static List<List<Integer>> of(List<Integer> widths) {
        List<List<Integer>> all = new ArrayList<>();
        List<List<Integer>> level = List.of(List.of());
        for (int width : widths) {
            level =
                    level.stream()
                            .flatMap(path ->
                                    IntStream.range(0, width).mapToObj(rank -> below(path, rank)))
                            .toList();
            all.addAll(level);
        }
        return List.copyOf(all);
    }

    private static List<Integer> below(List<Integer> path, int rank) {
        var longer = new ArrayList<>(path);
        longer.add(rank);
        return List.copyOf(longer);
    }
}
