package dev.outrider.demo.corpus;

import java.util.Locale;

/// The purpose of a document. A prompt belongs to exactly one split, whatever seed wrote it.
public enum Split {
    /// 90 % of prompts: for training.
    TRAIN,
    /// 5 %: for the validation loss during training.
    VALIDATION,
    /// 5 %: never used in training; benchmark prompts come from here.
    TEST;

    /// Returns the lower-case name used in files and on the command line.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
