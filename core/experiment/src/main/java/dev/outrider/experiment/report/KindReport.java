package dev.outrider.experiment.report;

import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.stats.Finite;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.SideStatistics;
import java.util.List;

/// How every variant did on prompts of one kind.
///
/// @param kind     kind of task
/// @param prompts  prompts of that kind that every side completed
/// @param variants in the order of the configuration
public record KindReport(String kind, int prompts, List<Variant> variants) {
    /// One variant on one kind.
    ///
    /// @param variant        name of the variant
    /// @param speedup        against plain decoding on the same prompts; median and 95 % interval
    /// @param tokensPerRound the following token included; plain decoding is 1
    /// @param alpha          accepts / (accepts + rejections) over positions reached
    /// @param nodes          mean number of guesses in a draft, empty drafts included
    public record Variant(
            String variant, Interval speedup, double tokensPerRound, double alpha, double nodes) {
        static Variant of(SideStatistics side) {
            var metrics = side.metrics();
            return new Variant(
                    side.side().name(),
                    side.speedup(),
                    Finite.orZero(metrics.tokensPerRound()),
                    Finite.orZero(metrics.alpha()),
                    Finite.orZero(metrics.meanDraftSize()));
        }
    }

    public KindReport {
        variants = List.copyOf(variants);
    }

    /// One report for each kind of prompt; none where all prompts are of one kind, or where prompts of several kinds are decoded
    /// together and share their times.
    static List<KindReport> of(ComparisonResult result) {
        var kinds = result.kinds();
        return kinds.size() < 2 || !result.plan().timesKindsApart()
                ? List.of()
                : kinds.stream().map(kind -> of(kind, result.ofKind(kind))).toList();
    }

    private static KindReport of(String kind, ComparisonResult measured) {
        long prompts =
                measured.generations().stream().map(record -> record.prompt()).distinct().count();
        return new KindReport(
                kind,
                (int) prompts,
                SideStatistics.of(measured).stream()
                        .filter(side -> !side.side().plain())
                        .map(Variant::of)
                        .toList());
    }
}
