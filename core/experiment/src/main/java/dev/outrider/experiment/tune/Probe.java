package dev.outrider.experiment.tune;

import dev.outrider.experiment.run.PromptText;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

/// What can be tried, as loading the models has shown. Comparisons of equal probes answer the same question.
///
/// @param settings        of the command
/// @param outrider        version and revision that measures
/// @param prompts         of the file
/// @param models          digests of the target and of the drafters, by name
/// @param secondsPerToken of plain decoding
/// @param families        drafters with weights
/// @param withoutWeights  drafters without weights
/// @param formats         number formats that the target may be run in, with fewer bits than its file has
/// @param leftOut         a line for each drafter that does not fit, with the reason
public record Probe(
        TuneSettings settings,
        String outrider,
        List<PromptText> prompts,
        SortedMap<String, String> models,
        double secondsPerToken,
        List<DrafterFamily> families,
        List<Candidate> withoutWeights,
        List<String> formats,
        List<String> leftOut) {
    public Probe {
        prompts = List.copyOf(prompts);
        families = List.copyOf(families);
        withoutWeights = List.copyOf(withoutWeights);
        formats = List.copyOf(formats);
        leftOut = List.copyOf(leftOut);
    }

    /// Returns the same with another speed of plain decoding, which differs whenever it is measured.
    Probe at(double seconds) {
        return new Probe(
                settings,
                outrider,
                prompts,
                models,
                seconds,
                families,
                withoutWeights,
                formats,
                leftOut);
    }

    /// Returns every candidate.
    public List<Candidate> all() {
        return Stream.concat(
                        families.stream().flatMap(each -> each.all().stream()),
                        withoutWeights.stream())
                .toList();
    }

    /// Returns what is measured first.
    public List<Candidate> first() {
        return Stream.concat(
                        families.stream().flatMap(each -> each.first().stream()),
                        withoutWeights.stream())
                .toList();
    }
}
