package dev.outrider.experiment.lab;

import java.util.List;

/// The questions to a recording.
///
/// @param lengths draft lengths; empty for all up to the recorded ones
/// @param trees   widths by level of trees
/// @param rules   names of rules; empty for all
public record Asked(List<Integer> lengths, List<List<Integer>> trees, List<String> rules) {
    /// Returns the default questions: every length and rule, and two trees.
    public static Asked everything() {
        return new Asked(List.of(), List.of(List.of(2, 1), List.of(4, 2, 1)), List.of());
    }
}
