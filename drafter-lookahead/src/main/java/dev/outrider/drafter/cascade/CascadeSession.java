package dev.outrider.drafter.cascade;

import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.Verdict;
import java.util.List;

/// Asks its sessions in turn until one proposes something; whose draft it was is a function of the history and the
/// drafting coins, never of a token that was then left out, so the output stays exact (algorithms A0, I1).
///
/// The one whose draft was scored observes the verdict itself. The others live through the same tokens as plain
/// decoding: for every emitted token they are asked for nothing (a budget of no nodes) and observe a verdict that accepts
/// nothing and goes on with that token. So they need no contract beyond the ordinary one, and what they know afterwards
/// is what they would know had nobody drafted. Confined to one thread.
final class CascadeSession implements DraftSession {
    private static final DraftBudget NOTHING = new DraftBudget(0, 0);

    private final List<DraftSession> sessions;
    private final CallOrder<Undecided> order = new CallOrder<>();

    /// @param draft    what was proposed
    /// @param proposer index of the session that did; the last one if nobody had anything
    /// @param coins    the round's randomness
    private record Undecided(Draft draft, int proposer, Coins coins) {}

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
    public Draft propose(DraftBudget budget, Coins coins) {
        order.requireBegun();
        int proposer = 0;
        var draft = sessions.getFirst().propose(budget, coins);
        while (draft.tree().draftedNodes() == 0 && proposer < sessions.size() - 1) {
            proposer++;
            draft = sessions.get(proposer).propose(budget, coins);
        }
        order.propose(new Undecided(draft, proposer, coins));
        return draft;
    }

    @Override
    public void observe(Verdict verdict, TargetScores scores) {
        var round = order.observe();
        for (int i = 0; i < sessions.size(); i++) {
            if (i == round.proposer()) {
                sessions.get(i).observe(verdict, scores);
            } else {
                // Sessions before the proposer were asked and had nothing; those after it were not
                // asked.
                follow(sessions.get(i), i < round.proposer(), round, verdict, scores);
            }
        }
    }

    @Override
    public void close() {
        sessions.reversed().forEach(DraftSession::close);
    }

    private static void follow(
            DraftSession session,
            boolean asked,
            Undecided round,
            Verdict verdict,
            TargetScores scores) {
        int[] emitted = verdict.emitted(round.draft().tree());
        boolean proposed = asked;
        for (int i = 0; i < emitted.length; i++) {
            if (!proposed) {
                session.propose(NOTHING, round.coins());
            }
            int node = i == 0 ? 0 : verdict.acceptedNodes().get(i - 1);
            boolean last = i == emitted.length - 1;
            var origin = last ? verdict.origin() : Verdict.Origin.BONUS;
            session.observe(
                    new Verdict(List.of(), emitted[i], origin), new OneNodeScores(scores, node));
            proposed = false;
        }
    }
}
