package dev.outrider.cli;

import dev.outrider.spi.error.OutriderException;

/// What a check says, in words.
final class Answer {
    private Answer() {}

    /// @param yes   what stands there if the check refuses nothing
    /// @param check throws what it refuses
    static String of(String yes, Runnable check) {
        try {
            check.run();
            return yes;
        } catch (OutriderException e) {
            return "refused, " + e.code() + ": " + e.problem();
        }
    }
}
