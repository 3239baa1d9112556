package dev.outrider.drafter.ensemble.union;

import dev.outrider.drafter.ensemble.EnsembleSession;
import dev.outrider.drafter.ensemble.Follower;
import dev.outrider.spi.draft.Draft.Contribution;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import java.util.ArrayList;
import java.util.List;

/// Asks all its sessions in every round and joins their guesses in one tree. Each observes what became of its own guesses.
/// Confined to one thread.
final class UnionSession extends EnsembleSession {
    private final int totalNodes;
    private List<Proposal> proposals = List.of();

    /// @param sessions   asked in this order; closed with the union
    /// @param names      what reports call them
    /// @param totalNodes most nodes of a round
    UnionSession(List<DraftSession> sessions, List<String> names, int totalNodes) {
        super(sessions, names);
        this.totalNodes = totalNodes;
    }

    @Override
    protected Draft draft(DraftBudget budget, Randomness randomness) {
        var first = sessions().getFirst().propose(within(budget, totalNodes), randomness);
        var merged = new MergedTree(first.tree().token(0));
        List<Proposal> proposed = new ArrayList<>();
        proposed.add(new Proposal(sessions().getFirst(), first, merged.add(first.tree())));
        for (var session : sessions().subList(1, sessions().size())) {
            int left = Math.min(budget.maxNodes(), totalNodes) - merged.draftedNodes();
            var draft = session.propose(within(budget, left), randomness);
            proposed.add(new Proposal(session, draft, merged.add(draft.tree())));
        }
        proposals = List.copyOf(proposed);
        return new Draft(merged.tree(), new Selection.PointMass(), contributions());
    }

    private static DraftBudget within(DraftBudget budget, int nodes) {
        int most = Math.min(budget.maxNodes(), nodes);
        return new DraftBudget(most, Math.min(budget.maxDepth(), most), budget.rowCost());
    }

    private List<Contribution> contributions() {
        List<Contribution> contributions = new ArrayList<>();
        for (int i = 0; i < proposals.size(); i++) {
            contributions.add(proposals.get(i).contribution(name(i)));
        }
        return contributions;
    }

    @Override
    protected void tell(Draft draft, Follower round) {
        proposals.forEach(proposal -> proposal.observe(round));
    }
}
