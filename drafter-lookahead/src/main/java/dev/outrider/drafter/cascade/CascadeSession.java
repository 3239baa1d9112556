package dev.outrider.drafter.cascade;

import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Asks its sessions in turn until one proposes something; whose draft it was is a function of the history and the
/// drafting randomness, never of a token that was then left out, so the output stays exact (docs/algorithms.md I1).
///
/// The one whose draft was scored observes the verdict itself. The others live through the same tokens as plain
/// decoding: for every emitted token they are asked for nothing (a budget of no nodes) and observe a verdict that accepts
/// nothing and goes on with that token. So they need no contract beyond the ordinary one, and what they know afterwards
/// is what they would know had nobody drafted. Confined to one thread.
final class CascadeSession implements DraftSession {
    private static final DraftBudget NOTHING = new DraftBudget(0, 0);

    private final List<DraftSession> sessions;
    private final CallOrder order = new CallOrder();
    private Optional<Round> round = Optional.empty();

    /// What has to be known of a round when its draft has been judged.
    ///
    /// @param drafts what the sessions that were asked proposed; the last one's draft is the round's
    /// @param randomness  the round's randomness
    private record Round(List<Draft> drafts, Randomness randomness) {}

    /// @param sessions preferred ones first; closed with the cascade
    CascadeSession(List<DraftSession> sessions) {
        this.sessions = List.copyOf(sessions);
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        for (var session : sessions) {
            session.begin(prompt.clone(), promptStates);
        }
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        var drafts = new ArrayList<Draft>();
        do {
            drafts.add(sessions.get(drafts.size()).propose(budget, randomness));
        } while (drafts.getLast().tree().draftedNodes() == 0 && drafts.size() < sessions.size());
        round = Optional.of(new Round(drafts, randomness));
        return drafts.getLast();
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        var drafts = round.orElseThrow().drafts();
        int proposer = drafts.size() - 1;
        for (int i = 0; i < sessions.size(); i++) {
            if (i == proposer) {
                sessions.get(i).observe(draft, verdict, scores);
            } else {
                // Sessions before the proposer were asked and had nothing; those after it were not
                // asked.
                var nothing = i < proposer ? Optional.of(drafts.get(i)) : Optional.<Draft>empty();
                follow(sessions.get(i), nothing, verdict.emitted(draft.tree()), verdict, scores);
            }
        }
    }

    @Override
    public boolean restart(int[] text) {
        order.restart();
        round = Optional.empty();
        return sessions.stream().allMatch(session -> session.restart(text.clone()));
    }

    @Override
    public void close() {
        sessions.reversed().forEach(DraftSession::close);
    }

    /// @param asked what the session proposed in this round, if it was asked
    private void follow(
            DraftSession session,
            Optional<Draft> asked,
            int[] emitted,
            Verdict verdict,
            TargetScores scores) {
        var proposed = asked;
        for (int i = 0; i < emitted.length; i++) {
            var randomness = round.orElseThrow().randomness();
            var nothing = proposed.orElseGet(() -> session.propose(NOTHING, randomness));
            int node = i == 0 ? 0 : verdict.acceptedNodes().get(i - 1);
            boolean last = i == emitted.length - 1;
            var origin = last ? verdict.origin() : Verdict.Origin.BONUS;
            session.observe(
                    nothing,
                    new Verdict(List.of(), emitted[i], origin),
                    new OneNodeScores(scores, node));
            proposed = Optional.empty();
        }
    }
}
