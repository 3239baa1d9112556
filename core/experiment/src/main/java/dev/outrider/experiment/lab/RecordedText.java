package dev.outrider.experiment.lab;

import java.util.List;

/// What a variant drafts along a text.
///
/// @param prompt     that the text continues
/// @param kind       of task
/// @param repetition from 0
/// @param tokens     of the text
/// @param drafts     at every position but the last
record RecordedText(
        String prompt, String kind, int repetition, int tokens, List<RecordedDraft> drafts) {
    RecordedText {
        drafts = List.copyOf(drafts);
        if (drafts.size() != tokens - 1) {
            throw new IllegalArgumentException(
                    "a text of %d tokens with drafts at %d positions"
                            .formatted(tokens, drafts.size()));
        }
    }
}
