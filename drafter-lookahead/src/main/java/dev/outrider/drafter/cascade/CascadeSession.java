package dev.outrider.drafter.cascade;

import dev.outrider.drafter.ensemble.Follower;
import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.draft.Contribution;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Asks its sessions in turn until one proposes something; whose draft it was is a function of the history and the
/// drafting randomness, never of a token that was then left out, so the output stays exact (docs/algorithms.md I1).
///
/// The one whose draft was scored observes the verdict itself. The others follow ([Follower]). Confined to one thread.
final class CascadeSession implements DraftSession {
    private final List<DraftSession> sessions;
    private final List<String> names;
    private final CallOrder order = new CallOrder();
    private Optional<Round> round = Optional.empty();

    /// What has to be known of a round when its draft has been judged.
    ///
    /// @param drafts what the sessions that were asked proposed; the last one's draft is the round's
    /// @param randomness  the round's randomness
    private record Round(List<Draft> drafts, Randomness randomness) {}

    /// @param sessions preferred ones first; closed with the cascade
    /// @param names    what reports call them
    CascadeSession(List<DraftSession> sessions, List<String> names) {
        this.sessions = List.copyOf(sessions);
        this.names = List.copyOf(names);
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
        return new Draft(
                drafts.getLast().tree(), drafts.getLast().selection(), contributions(drafts));
    }

    private List<Contribution> contributions(List<Draft> drafts) {
        return IntStream.range(0, drafts.size())
                .mapToObj(asked -> Contribution.whole(names.get(asked), drafts.get(asked).tree()))
                .toList();
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        var drafts = round.orElseThrow().drafts();
        var emitted = Arrays.stream(verdict.emitted(draft.tree())).boxed().toList();
        var follower = new Follower(verdict, emitted, scores, round.orElseThrow().randomness());
        int proposer = drafts.size() - 1;
        for (int i = 0; i < sessions.size(); i++) {
            if (i == proposer) {
                sessions.get(i).observe(drafts.getLast(), verdict, scores);
            } else {
                // Sessions before the proposer were asked and had nothing; those after it were not
                // asked.
                var nothing = i < proposer ? Optional.of(drafts.get(i)) : Optional.<Draft>empty();
                follower.follow(sessions.get(i), 0, nothing);
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
}
