package dev.outrider.spi.run;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.tree.Verdict;
import java.util.OptionalDouble;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// An event of decoding one sequence. Metrics, traces and reports are listeners.
@API(status = Status.STABLE, since = "2")
public sealed interface DecodeEvent {
    /// The prompt was read into the caches.
    ///
    /// @param promptTokens length of the prompt
    /// @param targetNanos  time of the target's prefill
    /// @param drafterNanos time of the drafter's prefill
    record Prefilled(int promptTokens, long targetNanos, long drafterNanos)
            implements DecodeEvent {}

    /// One round is over.
    ///
    /// @param round   number of the round, from 0
    /// @param draft   the draft
    /// @param verdict the decision
    /// @param emitted tokens that were really emitted; fewer than decided if the sequence ended in between
    /// @param times   times of the stages
    /// @param activeExperts as in the target's scores
    /// @param pass    the pass that scored the draft, which may be shared with other sequences
    /// @param reason  the policy's reason for the draft's length, and the drafter's reason for this draft; empty if neither gives one
    record RoundCompleted(
            int round,
            Draft draft,
            Verdict verdict,
            int emitted,
            StageTimes times,
            OptionalDouble activeExperts,
            TargetPass pass,
            String reason)
            implements DecodeEvent {
        /// A round of one sequence, of a target without experts.
        ///
        /// @param round   number of the round, from 0
        /// @param draft   the draft
        /// @param verdict the decision
        /// @param emitted tokens that were really emitted
        /// @param times   times of the stages
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
                    "");
        }
    }

    /// One pass of a beam search is over. A step of the search corresponds to a token of a sequence: plain beam search takes one
    /// step a pass.
    ///
    /// @param round    number of the pass, from 0
    /// @param rows     rows of the pass: live beams and guesses
    /// @param drafted  guesses that were scored
    /// @param depth    greatest number of consecutive guesses below a live beam
    /// @param steps    steps of the search that the pass decided, at least 1
    /// @param kept     guesses that became live beams
    /// @param rejected whether the search left the guesses before the last of them
    /// @param times    times of the stages
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

    /// A drafter or an acceptance rule failed. After that, either the drafter proposes nothing any more, or the sequence has ended
    /// without [Finished].
    ///
    /// @param round   number of the round, from 0
    /// @param label   name of the failed part in errors, such as `drafter 'small-model'`
    /// @param code    kind of failure
    /// @param problem one sentence
    record PluginFailed(int round, String label, ErrorCode code, String problem)
            implements DecodeEvent {}

    /// The sequence is over.
    ///
    /// @param reason        reason of its end
    /// @param emittedTokens tokens emitted in all
    record Finished(FinishReason reason, int emittedTokens) implements DecodeEvent {}

    /// The pass of the target that scored a round's draft, as a whole: in a batch it scores the drafts of several sequences, and a
    /// round's own time in it is an equal share.
    ///
    /// @param rows      of all its sequences, their roots included
    /// @param sequences number of sequences whose drafts it scored, at least 1
    /// @param nanos     nanoseconds of the pass
    record TargetPass(int rows, int sequences, long nanos) {
        /// Checks that there are rows and sequences.
        public TargetPass {
            if (sequences < 1 || rows < sequences) {
                throw new IllegalArgumentException(
                        "a pass of %d rows for %d sequences".formatted(rows, sequences));
            }
        }
    }

    /// Times of the stages of one round, in nanoseconds.
    ///
    /// @param draft   [DraftSession#propose][dev.outrider.spi.draft.DraftSession#propose]
    /// @param score   the target's pass
    /// @param decide  the acceptance rule, distributions included
    /// @param commit  keeping the accepted cache rows
    /// @param observe [DraftSession#observe][dev.outrider.spi.draft.DraftSession#observe]
    /// @param rest    everything else the engine did
    record StageTimes(long draft, long score, long decide, long commit, long observe, long rest) {
        private static final StageTimes ZERO = new StageTimes(0, 0, 0, 0, 0, 0);

        /// {@return times of 0, the start of a sum}
        public static StageTimes zero() {
            return ZERO;
        }

        /// {@return the times of both, stage by stage}
        ///
        /// @param other times of other rounds
        public StageTimes plus(StageTimes other) {
            return new StageTimes(
                    draft + other.draft,
                    score + other.score,
                    decide + other.decide,
                    commit + other.commit,
                    observe + other.observe,
                    rest + other.rest);
        }

        /// {@return the whole round}
        public long total() {
            return draft + score + decide + commit + observe + rest;
        }

        /// {@return the engine's own part: everything but the drafter's and the target's work}
        public long engine() {
            return decide + rest;
        }
    }

    /// The reason why a sequence ended.
    enum FinishReason {
        /// A token that ends sequences was emitted.
        END_OF_SEQUENCE,
        /// A stop string was written.
        STOP_STRING,
        /// The requested number of tokens was emitted.
        MAX_TOKENS,
        /// The caller cancelled the run.
        CANCELLED
    }
}
