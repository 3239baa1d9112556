package dev.outrider.experiment.lab;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.experiment.stats.Interval;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// The output of `outrider lab --json`.
///
/// @param folder   of the results
/// @param costs    what the times are from
/// @param costCurve t(n) in nanoseconds by rows, with the interval of its timing
/// @param seed     of the resampling
/// @param variants what was recorded, in the order of the configuration
public record LabReport(
        String folder,
        String costs,
        SortedMap<Integer, CostCurve.Point> costCurve,
        long seed,
        List<OfVariant> variants) {
    /// A recorded variant.
    ///
    /// @param variant     its name
    /// @param drafter     name of its drafter
    /// @param temperature of sampling; absent where it is not known
    /// @param texts       that were read
    /// @param tokens      of them
    /// @param answers     one for each draft and rule
    /// @param positions   by position in the draft
    /// @param kinds       by kind of task
    /// @param limits      what is, and what limits it, the most first; empty without answers
    /// @param unanswered  what the recording does not answer, each with the run that would
    public record OfVariant(
            String variant,
            String drafter,
            Optional<Double> temperature,
            int texts,
            int tokens,
            List<Answer> answers,
            List<Position> positions,
            List<Kind> kinds,
            List<Limit> limits,
            List<String> unanswered) {}

    /// The expected result of a draft and a rule.
    ///
    /// @param draft          what is drafted
    /// @param rule           what decides
    /// @param length         greatest depth
    /// @param bound          whether it is a bound rather than a rule
    /// @param tokensPerRound expected
    /// @param speedup        over plain decoding, the median over texts; prefill included but at other costs; its interval holds that of
    ///                       the timing
    /// @param passes         how the times of its passes are known, of the worst one in twenty
    public record Answer(
            String draft,
            String rule,
            int length,
            boolean bound,
            Interval tokensPerRound,
            Interval speedup,
            CostCurve.Reach passes) {}

    /// The highest speedup if one part were ideal.
    ///
    /// @param what    is ideal
    /// @param ideal   what that means
    /// @param speedup of the best draft and rule there
    public record Limit(String what, String ideal, double speedup) {}

    /// A position of the longest recorded draft, over rounds of the first rule.
    ///
    /// @param position from 1
    /// @param reached  share of rounds that keep everything before it
    /// @param kept     of those, the share that keeps this one
    /// @param block    the same under block verification, which keeps as much as can be of a drawn chain
    /// @param overlap  mean of sum min(p, q) where the text's path is reached: what an optimal coupling keeps of one draw here
    public record Position(
            int position, double reached, double kept, double block, double overlap) {}

    /// A kind of task, with drafts of the greatest length.
    ///
    /// @param kind  of task
    /// @param first tokens per round of the first rule
    /// @param best  of the best rule or draft that was asked about, bounds left out
    /// @param draft which that is
    /// @param rule  and what decides
    /// @param bound of any rule for the chain, where guesses are drawn: block verification's
    public record Kind(
            String kind, Interval first, Interval best, String draft, String rule, double bound) {}
}
