package dev.outrider.experiment.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outrider.spi.run.DecodeEvent;
import java.util.OptionalDouble;

/// The numbers of one round, without the draft itself. One line of `rounds.jsonl`. In a beam search a round is a pass, and a token
/// is a step.
///
/// @param round    number within the generation, from 0
/// @param nodes    drafted nodes, unverified ones included, without the root
/// @param depth    greatest depth of a node that could have been accepted
/// @param accepted accepted draft tokens
/// @param rejected whether candidates below the accepted path were tested and refused
/// @param emitted  tokens emitted, the following token included; fewer than decided when the sequence ended
/// @param times    nanoseconds by stage
/// @param drafter  the drafter of the round, if there are several; absent if there is one
/// @param why      the reason for the draft's length from the policy, or for its drafter from a choice; absent without one
/// @param experts  different experts that the pass activated, the mean over layers that have experts; absent for a target without any
public record RoundRecord(
        int round,
        int nodes,
        int depth,
        int accepted,
        boolean rejected,
        int emitted,
        DecodeEvent.StageTimes times,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String drafter,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String why,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalDouble experts) {
    /// Files leave empty texts out.
    public RoundRecord {
        drafter = drafter == null ? "" : drafter;
        why = why == null ? "" : why;
    }

    /// Keeps the numbers of a pass of a beam search that a report needs.
    static RoundRecord of(DecodeEvent.BeamPassCompleted event) {
        return new RoundRecord(
                event.round(),
                event.drafted(),
                event.depth(),
                event.steps() - 1,
                event.rejected(),
                event.steps(),
                event.times(),
                "",
                "",
                OptionalDouble.empty());
    }

    /// Keeps the numbers of a round that a report needs.
    static RoundRecord of(DecodeEvent.RoundCompleted event) {
        var tree = event.draft().tree();
        var verdict = event.verdict();
        return new RoundRecord(
                event.round(),
                tree.draftedNodes(),
                tree.candidateDepth(),
                verdict.acceptedLength(),
                tree.candidates(verdict.lastNode()).length > 0,
                event.emitted(),
                event.times(),
                event.draft().drafter(),
                event.reason(),
                event.activeExperts());
    }
}
