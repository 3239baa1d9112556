package dev.outrider.experiment.report;

import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.FailedPrompt;
import dev.outrider.experiment.run.Mismatch;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.SideStatistics;
import dev.outrider.experiment.verify.Evidence;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A comparison's numbers, ready to be written. `details.json` is this record without the sides' Java objects.
///
/// @param question    what the experiment asks
/// @param interrupted whether the comparison ended early
/// @param prompts     prompts that every side completed at least once
/// @param planned     prompts of the experiment
/// @param repetitions planned repetitions
/// @param sides       every side, plain decoding included
/// @param kinds       every variant on each kind of prompt; empty where there is one kind
/// @param failures    prompts left out of every side
/// @param mismatches  greedy outputs that differ from plain decoding
/// @param evidence    tests of the law of variants that sample, by name
/// @param batch       prompts decoded together
/// @param costCurve   the target's pass by its number of rows
public record Report(
        String question,
        boolean interrupted,
        int prompts,
        int planned,
        int repetitions,
        List<SideStatistics> sides,
        List<KindReport> kinds,
        List<FailedPrompt> failures,
        List<Mismatch> mismatches,
        Map<String, Evidence> evidence,
        int batch,
        List<CostPoint> costCurve) {
    public Report {
        costCurve = List.copyOf(costCurve);
        evidence = Map.copyOf(evidence);
        sides = List.copyOf(sides);
        kinds = List.copyOf(kinds);
        failures = List.copyOf(failures);
        mismatches = List.copyOf(mismatches);
    }

    /// Work out the numbers of a comparison whose output's law nobody tested.
    public static Report of(String question, ComparisonResult result) {
        return of(question, result, Map.of());
    }

    /// Work out the numbers of a comparison.
    public static Report of(
            String question, ComparisonResult result, Map<String, Evidence> evidence) {
        long measured =
                result.generations().stream().map(record -> record.prompt()).distinct().count();
        return new Report(
                question,
                result.interrupted(),
                (int) measured,
                result.plan().prompts().size(),
                result.plan().repetitions(),
                SideStatistics.of(result),
                KindReport.of(result),
                result.failures(),
                result.mismatches(),
                evidence,
                result.plan().batch(),
                CostPoint.curve(result.generations()));
    }

    /// One summary for each variant; plain decoding is not a variant.
    public List<VariantSummary> summary() {
        return sides.stream()
                .filter(side -> !side.side().plain())
                .map(side -> VariantSummary.of(side, evidence(side)))
                .toList();
    }

    /// Everything, in a shape that JSON can hold.
    Details details() {
        return new Details(
                question,
                interrupted,
                prompts,
                planned,
                repetitions,
                sides.stream().map(side -> SideDetails.of(side, evidence(side))).toList(),
                kinds,
                failures,
                mismatches,
                Optional.of(batch),
                costCurve,
                Definitions.byName());
    }

    private Optional<Evidence> evidence(SideStatistics side) {
        return Optional.ofNullable(evidence.get(side.side().name()));
    }
}
