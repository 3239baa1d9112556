package dev.outrider.experiment.lab;

import dev.outrider.experiment.recording.Manifest;
import java.util.Arrays;
import java.util.List;

/// What a variant drafts along the texts of a run.
///
/// @param side  as the recording names it
/// @param texts none where nothing was recorded of it
record RecordedSide(Manifest.Side side, List<RecordedText> texts) {
    RecordedSide {
        texts = List.copyOf(texts);
    }

    /// The greatest depth of a draft.
    int depth() {
        return texts.stream()
                .flatMap(text -> text.drafts().stream())
                .mapToInt(RecordedDraft::depth)
                .max()
                .orElse(0);
    }

    /// Whether guesses of any draft were drawn.
    boolean drawn() {
        return texts.stream()
                .flatMap(text -> text.drafts().stream())
                .anyMatch(RecordedDraft::drawn);
    }

    /// Whether no draft has two nodes of one depth.
    boolean chains() {
        return texts.stream()
                .flatMap(text -> text.drafts().stream())
                .noneMatch(draft -> Arrays.stream(draft.widths()).anyMatch(w -> w > 1));
    }
}
