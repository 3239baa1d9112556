package dev.outrider.experiment.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outrider.common.ShapedPath;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.Rankings;
import dev.outrider.experiment.stats.SequentialTest;
import dev.outrider.experiment.stats.SequentialTest.InterimAnalysis;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Terms;
import dev.outrider.experiment.verify.Evidence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All results of a comparison. `details.json` contains this record; every table, page and drawing is made from it, in a run or
/// from the file.
///
/// @param format         version of this record's shape
/// @param question       the question of the experiment
/// @param shaped         a sentence on whose text and whose costs every number has, if the target is in another model's shape
/// @param coverage       the measured part of the experiment
/// @param variants       every variant, plain decoding included
/// @param kinds          every variant on each kind of prompt; empty if there is one kind
/// @param failures       prompts left out of every variant
/// @param mismatches     greedy outputs that differ from plain decoding
/// @param costCurve      the target's pass by its number of rows
/// @param interimAnalysis the interim analyses of a comparison that continued until it was decided
/// @param definitions    the meaning of every number, by its path
public record Report(
        int format,
        String question,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> shaped,
        Coverage coverage,
        List<VariantResult> variants,
        List<VariantResult.OfKind> kinds,
        List<ComparisonResult.FailedPrompt> failures,
        List<ComparisonResult.Mismatch> mismatches,
        List<CostPoint> costCurve,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<InterimAnalysis> interimAnalysis,
        Map<String, String> definitions) {
    /// The shape that this version writes and reads.
    public static final int FORMAT = 7;

    private static final double NANOS_A_MILLISECOND = 1e6;

    /// The measured part of an experiment.
    ///
    /// @param interrupted    whether the comparison ended early
    /// @param prompts        prompts that every variant completed at least once
    /// @param plannedPrompts prompts of the experiment
    /// @param repetitions    planned repetitions
    /// @param batch          prompts decoded together
    /// @param readMillis     median time in which the target read a prompt once for all variants and repetitions; empty if it
    ///                       read none in this way
    /// @param readOnce       number of prompts that it read in this way; empty if there is none
    public record Coverage(
            boolean interrupted,
            int prompts,
            int plannedPrompts,
            int repetitions,
            int batch,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Double> readMillis,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Integer> readOnce) {
        private static Coverage of(ComparisonResult result) {
            var nanos = readings(result);
            int once = nanos.size();
            return new Coverage(
                    result.interrupted(),
                    result.promptsMeasured(),
                    result.plan().prompts().size(),
                    result.plan().repetitions(),
                    result.plan().batch(),
                    nanos.stream()
                            .skip(once / 2)
                            .findFirst()
                            .map(each -> each / NANOS_A_MILLISECOND),
                    Optional.of(once).filter(each -> each > 0));
        }
    }

    /// Returns the times of the prompts that were read once, the shortest first. A prompt that was read again has several times.
    private static List<Long> readings(ComparisonResult result) {
        return result.generations().stream()
                .collect(
                        Collectors.groupingBy(
                                GenerationRecord::prompt,
                                Collectors.mapping(
                                        GenerationRecord::readNanos, Collectors.toSet())))
                .values()
                .stream()
                .filter(times -> times.size() == 1 && !times.contains(0L))
                .flatMap(Set::stream)
                .sorted()
                .toList();
    }

    /// Computes the numbers of a comparison that may have continued until it was decided.
    ///
    /// @param shaped   path of the target, if it names a shape
    /// @param evidence tests of the distribution of variants that sample, by name
    /// @param until    the stopping rule; intervals are corrected for its interim analyses
    public static Report of(
            String question,
            Optional<ShapedPath> shaped,
            ComparisonResult result,
            Map<String, Evidence> evidence,
            Optional<SequentialTest> until) {
        double alpha = until.map(SequentialTest::alpha).orElse(Rankings.ALPHA);
        return new Report(
                FORMAT,
                question,
                shaped.map(ShapedPath::label),
                Coverage.of(result),
                VariantResult.of(result, evidence, Rankings.of(result, alpha)),
                VariantResult.OfKind.of(result),
                result.failures(),
                result.mismatches(),
                CostPoint.curve(result.generations()),
                until.map(each -> each.interimAnalysis(result)),
                Terms.definitions());
    }

    /// Every variant, plain decoding first: the order of tables, files and pages.
    public List<VariantResult> rows() {
        return Stream.concat(variants.stream().filter(VariantResult::plain), speculative().stream())
                .toList();
    }

    /// Every variant but plain decoding, in the order of the configuration.
    public List<VariantResult> speculative() {
        return variants.stream().filter(variant -> !variant.plain()).toList();
    }
}
