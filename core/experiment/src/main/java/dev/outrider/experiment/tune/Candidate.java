package dev.outrider.experiment.tune;

import dev.outrider.config.YamlText;

/// A variant that may be the fastest.
///
/// @param name        in tables and configurations
/// @param drafter     YAML of its drafter, in one line
/// @param draftLength YAML of its length policy; empty without one
/// @param family      name of the drafter that it shares with other candidates
/// @param length      of its drafts, if it is a chain of a fixed length that may be changed; else 0
public record Candidate(
        String name, String drafter, String draftLength, String family, int length) {
    /// Returns a candidate that is the only one of its drafter.
    public static Candidate single(String name, String drafter) {
        return new Candidate(name, drafter, "", name, 0);
    }

    /// Returns the lines of a configuration's list of variants.
    String yaml() {
        var yaml = "  - name: %s%n    drafter: %s%n".formatted(YamlText.quoted(name), drafter);
        return draftLength.isEmpty() ? yaml : yaml + "    draftLength: %s%n".formatted(draftLength);
    }
}
