package dev.outrider.drafter.ensemble;

import dev.outrider.drafting.TokenReader;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.List;
import java.util.Optional;

/// Leads a session through a round's tokens that it did not guess, as plain decoding would: for each it is asked for nothing (a budget
/// of no nodes) and observes a verdict that accepts nothing and goes on with that token. So a drafter among others needs no
/// contract beyond the ordinary one, and knows afterwards what it would know had nobody drafted. One that lives by tokens alone is told
/// them, and reads them when it is asked.
///
/// @param verdict    what was accepted of the round's draft
/// @param emitted    the tokens the round emits
/// @param scores     the target's scores for the draft
/// @param randomness the round's randomness
public record Follower(
        Verdict verdict, List<Integer> emitted, TargetScores scores, Randomness randomness) {
    private static final DraftBudget NOTHING = new DraftBudget(0, 0);

    /// Goes on to the end of the round.
    ///
    /// @param session  who follows
    /// @param from     the first token that it has not seen, as an index of those the round emits
    /// @param proposed what it has proposed and nobody decided about, if anything: a draft without guesses
    public void follow(DraftSession session, int from, Optional<Draft> proposed) {
        if (session instanceof TokenReader reader) {
            emitted.subList(from, emitted.size()).forEach(reader::note);
            return;
        }
        var open = proposed;
        for (int i = from; i < emitted.size(); i++) {
            var nothing = open.orElseGet(() -> session.propose(NOTHING, randomness));
            int node = i == 0 ? 0 : verdict.acceptedNodes().get(i - 1);
            boolean last = i == emitted.size() - 1;
            var origin = last ? verdict.origin() : Verdict.Origin.BONUS;
            session.observe(
                    nothing,
                    new Verdict(List.of(), emitted.get(i), origin),
                    new PartScores(scores, List.of(node)));
            open = Optional.empty();
        }
    }
}
