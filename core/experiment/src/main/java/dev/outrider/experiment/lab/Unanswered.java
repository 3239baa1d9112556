package dev.outrider.experiment.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What a recording does not answer, with the run that would.
final class Unanswered {
    private Unanswered() {}

    /// @param index     of the variant in the configuration
    /// @param questions that it does answer
    static List<String> of(
            int index, RecordedSide side, Asked asked, List<Question> questions, Path folder) {
        var notes = new ArrayList<String>();
        String config = folder.resolve("config.yaml").toString();
        side.side()
                .refusal()
                .ifPresent(why ->
                        notes.add(
                                "%s; 'outrider bench %s' measures it as it is."
                                        .formatted(why, config)));
        if (side.depth() == 0) {
            if (notes.isEmpty()) {
                notes.add(
                        "anything: no drafts of it were recorded; 'outrider bench %s --record'."
                                .formatted(config));
            }
            return notes;
        }
        deeper(index, side, asked, config).forEach(notes::add);
        for (var rule : asked.rules()) {
            if (questions.stream().noneMatch(question -> question.under(rule))) {
                notes.add(
                        "the rule '%s': what it keeps of these drafts does not follow from what was recorded; 'outrider bench %s --set variants[%d].rule=%s'."
                                .formatted(rule, config, index, rule));
            }
        }
        notes.add(
                "drafts deeper than %d, another temperature or another drafter: 'outrider bench %s --record' with these settings."
                        .formatted(side.depth(), config));
        if (side.drawn() && side.side().temperature() > 0) {
            notes.add(
                    "what multi-step, k-seq, without-replacement and traversal keep of drawn trees, and gumbel-coupled anything: guesses beside the text matter; 'outrider predict' or 'outrider bench' of a variant with that tree.");
        } else {
            notes.add(
                    "other guesses than those recorded, drawn ones and trees of them among them: 'outrider bench --record' of a variant that makes them.");
        }
        return notes;
    }

    /// What was asked for by number and is too deep.
    private static List<String> deeper(int index, RecordedSide side, Asked asked, String config) {
        var notes = new ArrayList<String>();
        var lengths = asked.lengths().stream().filter(each -> each > side.depth()).toList();
        if (!lengths.isEmpty()) {
            notes.add(
                    "length %s: drafts of %d were recorded; 'outrider bench %s --record' with variants[%d] drafting %d deep."
                            .formatted(
                                    lengths.stream()
                                            .map(String::valueOf)
                                            .collect(Collectors.joining(", ")),
                                    side.depth(),
                                    config,
                                    index,
                                    lengths.stream().mapToInt(each -> each).max().orElse(0)));
        }
        asked.trees().stream()
                .filter(widths -> widths.size() > side.depth())
                .forEach(widths ->
                        notes.add(
                                "the tree %s: drafts of %d were recorded; 'outrider bench %s --record' with variants[%d] drafting %d deep."
                                        .formatted(
                                                Question.spelled(widths),
                                                side.depth(),
                                                config,
                                                index,
                                                widths.size())));
        return notes;
    }
}
