package dev.outrider.drafter.eagle;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// Where an EAGLE-3 head departs from the plainest one: the norms of EAGLE-3.1, and fewer tokens than the target has.
///
/// @see "Li et al. 2025 (EAGLE-3), section 3; the switches of EAGLE-3.1 as vLLM, SGLang and SpecForge read them"
public record HeadForm(
        @Doc(
                        "EAGLE-3: whether every captured state passes a norm of its own before the matrix that joins them (EAGLE-3.1).")
                @Default("false")
                boolean fcNorm,
        @Doc(
                        "EAGLE-3: whether a guess reads the state of the guess before as the head does, after the last norm (EAGLE-3.1), and not as it is.")
                @Default("false")
                boolean normOutput,
        @Doc(
                        "EAGLE-3: how many tokens can be guessed, those most frequent in the rows that are learnt; 0 for all of the target's.")
                @Default("0")
                int draftVocabulary) {
    /// The plainest.
    public static final HeadForm PLAIN = new HeadForm(false, false, 0);

    public HeadForm {
        if (draftVocabulary < 0) {
            throw new IllegalArgumentException(
                    "'draftVocabulary' must be at least 0, got " + draftVocabulary);
        }
    }
}
