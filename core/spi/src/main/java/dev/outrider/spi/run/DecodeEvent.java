package dev.outrider.spi.run;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.tree.Verdict;
import java.util.OptionalDouble;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What happened while a sequence was decoded. Metrics, traces and reports are listeners.
@API(status = Status.STABLE, since = "2")
public sealed interface DecodeEvent {
    /// The prompt is in the caches.
    ///
    /// @param promptTokens length of the prompt
    /// @param targetNanos  time of the target's prefill
    /// @param drafterNanos time of the drafter's prefill
    record Prefilled(int promptTokens, long targetNanos, long drafterNanos)
            implements DecodeEvent {}

    /// One round is over.
    ///
    /// @param round   number of the round, from 0
    /// @param draft   what was proposed
    /// @param verdict what was decided
    /// @param emitted tokens that were really emitted; fewer than decided when the sequence ended in between
    /// @param times   where the time went
    /// @param wokenExperts as the target's scores say
    /// @param pass    the pass that scored the draft, which other sequences may have had a share in
    /// @param reason  why the draft had its length, as the policy says, and why it is whose it is, as the drafter does; empty if neither says
    /// @param ahead   nanoseconds that the drafter worked for its next draft while the target scored this one; not part of `times`, which are
    ///                what a clock on the wall shows
    record RoundCompleted(
            int round,
            Draft draft,
            Verdict verdict,
            int emitted,
            StageTimes times,
            OptionalDouble wokenExperts,
            TargetPass pass,
            String reason,
            long ahead)
            implements DecodeEvent {
        /// A round of one sequence, of a target without experts.
        ///
        /// @param round   number of the round, from 0
        /// @param draft   what was proposed
        /// @param verdict what was decided
        /// @param emitted tokens that were really emitted
        /// @param times   where the time went
        public RoundCompleted(
                int round, Draft draft, Verdict verdict, int emitted, StageTimes times) {
            this(
                    round,
                    draft,
                    verdict,
                    emitted,
                    times,
                    OptionalDouble.empty(),
                    new TargetPass(draft.tree().size(), 1, times.score()),
                    "",
                    0);
        }
    }

    /// One pass of a beam search is over. What a step of the search is to a search, a token is to a sequence: plain beam search takes one
    /// step a pass.
    ///
    /// @param round    number of the pass, from 0
    /// @param rows     rows of the pass: live beams and guesses
    /// @param drafted  guesses that were scored
    /// @param depth    greatest number of guesses in a row below a live beam
    /// @param steps    steps of the search that the pass decided, at least 1
    /// @param kept     guesses that became live beams
    /// @param rejected whether the search left the guesses before it came to the last of them
    /// @param times    where the time went
    record BeamPassCompleted(
            int round,
            int rows,
            int drafted,
            int depth,
            int steps,
            int kept,
            boolean rejected,
            StageTimes times)
            implements DecodeEvent {}

    /// A drafter or an acceptance rule failed. What becomes of the sequence is told by what follows: a drafter that has failed
    /// proposes nothing any more, or the sequence has ended without [Finished].
    ///
    /// @param round   number of the round, from 0
    /// @param who     what failed, as errors call it
    /// @param code    kind of failure
    /// @param problem one sentence
    record PluginFailed(int round, String who, ErrorCode code, String problem)
            implements DecodeEvent {}

    /// The sequence is over.
    ///
    /// @param reason        why it ended
    /// @param emittedTokens tokens emitted in all
    record Finished(FinishReason reason, int emittedTokens) implements DecodeEvent {}
}
