package dev.outrider.drafter.ensemble.union;

import dev.outrider.drafter.ensemble.Follower;
import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.draft.Contribution;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Asks all its sessions in every round and joins their guesses in one tree. Each observes what became of its own guesses.
/// Confined to one thread.
final class UnionSession implements DraftSession {
    private final List<DraftSession> sessions;
    private final List<String> names;
    private final int totalNodes;
    private final CallOrder order = new CallOrder();
    private Optional<Round> round = Optional.empty();

    /// What has to be known of a round when its draft has been judged.
    private record Round(List<Proposal> proposals, Randomness randomness) {}

    /// @param sessions   asked in this order; closed with the union
    /// @param names      what reports call them
    /// @param totalNodes most nodes of a round
    UnionSession(List<DraftSession> sessions, List<String> names, int totalNodes) {
        this.sessions = List.copyOf(sessions);
        this.names = List.copyOf(names);
        this.totalNodes = totalNodes;
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
        var first = sessions.getFirst().propose(within(budget, totalNodes), randomness);
        var merged = new MergedTree(first.tree().token(0));
        List<Proposal> proposals = new ArrayList<>();
        proposals.add(new Proposal(sessions.getFirst(), first, merged.add(first.tree())));
        for (var session : sessions.subList(1, sessions.size())) {
            int left = Math.min(budget.maxNodes(), totalNodes) - merged.draftedNodes();
            var draft = session.propose(within(budget, left), randomness);
            proposals.add(new Proposal(session, draft, merged.add(draft.tree())));
        }
        round = Optional.of(new Round(proposals, randomness));
        return new Draft(merged.tree(), new Selection.PointMass(), contributions(proposals));
    }

    private static DraftBudget within(DraftBudget budget, int nodes) {
        int most = Math.min(budget.maxNodes(), nodes);
        return new DraftBudget(most, Math.min(budget.maxDepth(), most), budget.rowPrice());
    }

    private List<Contribution> contributions(List<Proposal> proposals) {
        List<Contribution> contributions = new ArrayList<>();
        for (int i = 0; i < proposals.size(); i++) {
            contributions.add(proposals.get(i).contribution(names.get(i)));
        }
        return contributions;
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        var judged = round.orElseThrow();
        var emitted = Arrays.stream(verdict.emitted(draft.tree())).boxed().toList();
        var follower = new Follower(verdict, emitted, scores, judged.randomness());
        judged.proposals().forEach(proposal -> proposal.observe(follower));
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
