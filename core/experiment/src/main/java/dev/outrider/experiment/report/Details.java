package dev.outrider.experiment.report;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.outrider.experiment.run.FailedPrompt;
import dev.outrider.experiment.run.Mismatch;
import dev.outrider.experiment.stats.CostPoint;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `details.json`: everything a comparison found, in a shape that JSON can hold.
///
/// @param question       what the experiment asks
/// @param interrupted    whether the comparison ended early
/// @param prompts        prompts that every side completed at least once
/// @param plannedPrompts prompts of the experiment
/// @param repetitions    planned repetitions
/// @param sides          every side, plain decoding included
/// @param kinds          every variant on each kind of prompt; empty where there is one kind
/// @param failures       prompts left out of every side
/// @param mismatches     greedy outputs that differ from plain decoding
/// @param batch          prompts decoded together; files of older versions do not say
/// @param costCurve      the target's pass by its number of rows; empty in older files
/// @param definitions    what every number means, by its name; empty in older files
public record Details(
        String question,
        boolean interrupted,
        int prompts,
        int plannedPrompts,
        int repetitions,
        List<SideDetails> sides,
        List<KindReport> kinds,
        List<FailedPrompt> failures,
        List<Mismatch> mismatches,
        Optional<Integer> batch,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<CostPoint> costCurve,
        @JsonSetter(nulls = Nulls.AS_EMPTY) Map<String, String> definitions) {
    public Details {
        sides = List.copyOf(sides);
        kinds = List.copyOf(kinds);
        failures = List.copyOf(failures);
        mismatches = List.copyOf(mismatches);
        costCurve = List.copyOf(costCurve);
        definitions = Collections.unmodifiableMap(new LinkedHashMap<>(definitions));
    }
}
