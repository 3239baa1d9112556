package dev.outrider.experiment.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What a recording does not answer, with the run that would.
final class Unanswered {
    private Unanswered() {}

    static List<String> of(RecordedSide side, Path folder) {
        var notes = new ArrayList<String>();
        String config = folder.resolve("config.yaml").toString();
        side.side()
                .refusal()
                .ifPresent(why ->
                        notes.add(
                                "%s; 'outrider bench %s' measures it as it is."
                                        .formatted(why, config)));
        if (side.texts().isEmpty()) {
            return notes;
        }
        notes.add(
                "drafts deeper than %d, another temperature or another drafter: 'outrider bench %s --record' with these settings."
                        .formatted(side.depth(), config));
        if (side.drawn() && side.side().temperature() > 0) {
            notes.add(
                    "what multi-step, k-seq, without-replacement and traversal keep of drawn trees, and gumbel-coupled anything: guesses beside the text matter; 'outrider predict' or 'outrider bench' of a variant with that tree.");
        } else if (side.side().temperature() > 0 || !side.chains()) {
            notes.add(
                    "other guesses than those recorded, drawn ones among them: 'outrider bench --record' of a variant that makes them.");
        }
        return notes;
    }
}
