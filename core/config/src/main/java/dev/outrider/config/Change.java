package dev.outrider.config;

import java.util.List;

/// A change of a configuration by an option of the command line.
///
/// @param typed      as the user typed it: `--set length=4`, or `--length 4`
/// @param assignment the same as key and value: `length=4`
public record Change(String typed, String assignment) {
    /// Returns the changes of `--set`.
    ///
    /// @param assignments the texts after it
    public static List<Change> set(List<String> assignments) {
        return assignments.stream().map(each -> new Change("--set " + each, each)).toList();
    }
}
