package dev.outrider.demo.corpus;

import java.util.Locale;

/// Which use a document is for. A prompt belongs to exactly one split, whatever seed wrote it.
public enum Split {
    /// 90 % of prompts: what models are trained on.
    TRAIN,
    /// 5 %: the loss that is watched while training.
    VALIDATION,
    /// 5 %: never seen by training; benchmark prompts come from here.
    TEST;

    /// The lower-case name used in files and on the command line.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
