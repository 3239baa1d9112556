package dev.outrider.experiment.tune;

import java.util.ArrayList;
import java.util.List;

/// What can be tried, as loading the models has shown.
///
/// @param settings        of the command, to see whether a file is of the same question
/// @param prompts         in the file
/// @param secondsPerToken of plain decoding
/// @param families        drafters with weights
/// @param singles         drafters without weights
/// @param formats         number formats that the target may be run in, with fewer bits than its file has
/// @param leftOut         a line for each drafter that does not fit, with the reason
public record Probe(
        TuneSettings settings,
        int prompts,
        double secondsPerToken,
        List<DrafterFamily> families,
        List<Candidate> singles,
        List<String> formats,
        List<String> leftOut) {
    public Probe {
        families = List.copyOf(families);
        singles = List.copyOf(singles);
        formats = List.copyOf(formats);
        leftOut = List.copyOf(leftOut);
    }

    /// Returns every candidate.
    public List<Candidate> all() {
        var all = new ArrayList<Candidate>();
        families.forEach(family -> all.addAll(family.all()));
        all.addAll(singles);
        return all;
    }

    /// Returns what is measured first.
    public List<Candidate> first() {
        var first = new ArrayList<Candidate>();
        families.forEach(family -> first.addAll(family.first()));
        first.addAll(singles);
        return first;
    }
}
