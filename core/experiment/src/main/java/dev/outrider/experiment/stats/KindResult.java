package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.ComparisonResult;
import java.util.List;
import java.util.Map;

/// How every variant did on prompts of one kind.
///
/// @param kind     kind of task
/// @param prompts  prompts of that kind that every side completed
/// @param variants in the order of the configuration; their evidence is that of all prompts and not repeated here
public record KindResult(String kind, int prompts, List<SideResult> variants) {
    public KindResult {
        variants = List.copyOf(variants);
    }

    /// One result for each kind of prompt; none where all prompts are of one kind, or where prompts of several kinds are decoded
    /// together and share their times.
    public static List<KindResult> of(ComparisonResult result) {
        var kinds = result.kinds();
        return kinds.size() < 2 || !result.plan().timesKindsApart()
                ? List.of()
                : kinds.stream().map(kind -> of(kind, result.ofKind(kind))).toList();
    }

    private static KindResult of(String kind, ComparisonResult measured) {
        return new KindResult(
                kind,
                measured.promptsMeasured(),
                SideResult.of(measured, Map.of()).stream().filter(side -> !side.plain()).toList());
    }
}
