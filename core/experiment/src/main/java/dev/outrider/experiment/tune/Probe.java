package dev.outrider.experiment.tune;

import dev.outrider.experiment.run.PromptText;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

/// The candidates that can be tried, known after the models were loaded.
///
/// @param question        the question
/// @param secondsPerToken of plain decoding
/// @param families        drafters with weights
/// @param withoutWeights  drafters without weights
/// @param formats         number formats that the target may be run in, with fewer bits than its file has
/// @param leftOut         a line for each drafter that does not fit, with the reason
public record Probe(
        Question question,
        double secondsPerToken,
        List<DrafterFamily> families,
        List<Candidate> withoutWeights,
        List<String> formats,
        List<String> leftOut) {
    /// The inputs that an answer depends on.
    ///
    /// @param settings of the command
    /// @param outrider version and revision that measures
    /// @param prompts  of the file
    /// @param models   digests of the target and of the drafters that were given, by path, whether they fit or not
    public record Question(
            TuneSettings settings,
            String outrider,
            List<PromptText> prompts,
            SortedMap<String, String> models) {}

    public TuneSettings settings() {
        return question.settings;
    }

    List<PromptText> prompts() {
        return question.prompts;
    }

    /// Returns every candidate.
    public List<Candidate> all() {
        var all = families.stream().flatMap(each -> each.all().stream());
        return Stream.concat(all, withoutWeights.stream()).toList();
    }

    /// Returns the candidates that are measured first.
    public List<Candidate> first() {
        var first = families.stream().flatMap(each -> each.first().stream());
        return Stream.concat(first, withoutWeights.stream()).toList();
    }
}
