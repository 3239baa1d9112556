package dev.outrider.experiment.lab;

import java.util.List;

/// What a recording is asked about.
///
/// @param lengths draft lengths; empty for those up to the recorded ones
/// @param trees   widths by level of trees
/// @param rules   names of rules; empty for all
public record Asked(List<Integer> lengths, List<List<Integer>> trees, List<String> rules) {
    public Asked {
        lengths = List.copyOf(lengths);
        trees = trees.stream().map(List::copyOf).toList();
        rules = List.copyOf(rules);
    }

    /// What is asked where nobody says what: every length and rule, and two trees.
    public static Asked everything() {
        return new Asked(List.of(), List.of(List.of(2, 1), List.of(4, 2, 1)), List.of());
    }
}
