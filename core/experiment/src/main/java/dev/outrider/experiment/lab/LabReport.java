package dev.outrider.experiment.lab;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.experiment.stats.Interval;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// The output of `outrider lab --json`.
///
/// @param folder   of the results
/// @param costs    origin of the times
/// @param costCurve t(n) in nanoseconds by rows, with the interval of its timing
/// @param seed     of the resampling
/// @param variants the recorded variants, in the order of the configuration
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
    /// @param temperature of sampling; absent if it is not known
    /// @param texts       that were read
    /// @param tokens      of them
    /// @param answers     one for each draft and rule
    /// @param positions   by position in the draft
    /// @param kinds       by kind of task
    /// @param limits      the speedup as it is, and with each part ideal, the strongest limit first; empty without answers
    /// @param unanswered  questions that the recording does not answer, each with the run that would answer it
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
    /// @param draft          name of the draft
    /// @param rule           name of the rule
    /// @param length         greatest depth
    /// @param bound          whether it is a bound rather than a rule
    /// @param tokensPerRound expected
    /// @param speedup        over plain decoding, the median over texts; prefill included except at other costs; its interval
    ///                       includes the error of the timing
    /// @param passes         how the times of its passes are known: of the worst pass among 95 %
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
    /// @param what    the part that is ideal
    /// @param ideal   what ideal means for it
    /// @param speedup of the best draft and rule under it
    public record Limit(String what, String ideal, double speedup) {}

    /// A position of the longest recorded draft, over rounds of the first rule.
    ///
    /// @param position from 1
    /// @param reached  share of rounds that keep everything before it
    /// @param kept     of those, the share that keeps this one
    /// @param block    the same under block verification, the upper bound for a drawn chain
    /// @param overlap  mean of sum min(p, q) at nodes that the text's path reaches: the acceptance of an optimal coupling with one draw
    public record Position(
            int position, double reached, double kept, double block, double overlap) {}

    /// A kind of task, with drafts of the greatest length.
    ///
    /// @param kind  of task
    /// @param first tokens per round of the first rule
    /// @param best  of the best rule or draft among the questions, bounds left out
    /// @param draft the draft of `best`
    /// @param rule  the rule of `best`
    /// @param bound of any rule for the chain, if guesses are drawn: block verification's
    public record Kind(
            String kind, Interval first, Interval best, String draft, String rule, double bound) {}
}
