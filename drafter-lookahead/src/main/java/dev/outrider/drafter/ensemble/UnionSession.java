package dev.outrider.drafter.ensemble;

import dev.outrider.drafter.ensemble.Follower.PartScores;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Draft.Contribution;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Asks all its sessions in every round and merges their guesses into one tree. Each session
/// observes the result of its own guesses. Confined to one thread.
final class UnionSession extends EnsembleSession {
    private final int totalNodes;
    private List<Proposal> proposals = List.of();

    /// @param sessions   asked in this order; closed with the union
    /// @param names      their names in reports
    /// @param totalNodes maximum number of nodes of a round
    UnionSession(List<DraftSession> sessions, List<String> names, int totalNodes) {
        super(sessions, names);
        this.totalNodes = totalNodes;
    }

    @Override
    protected Draft draft(DraftBudget budget, Randomness randomness) {
        var union = TokenTree.builder(root());
        var proposed = new ArrayList<Proposal>();
        for (var session : sessions()) {
            int left = Math.min(budget.maxNodes(), totalNodes) - (union.size() - 1);
            var draft = session.propose(within(budget, left), randomness);
            proposed.add(new Proposal(session, draft, add(draft.tree(), union)));
        }
        proposals = List.copyOf(proposed);
        return new Draft(union.build(), new Selection.PointMass(), contributions());
    }

    private static DraftBudget within(DraftBudget budget, int nodes) {
        int most = Math.min(budget.maxNodes(), nodes);
        return budget.within(most, Math.min(budget.maxDepth(), most));
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

    /// Adds a tree to one with the same root: a guess that is already there is not added again.
    ///
    /// @return the index in the union of each of its nodes
    private static List<Integer> add(TokenTree tree, TokenTree.Builder union) {
        List<Integer> places = new ArrayList<>(List.of(0));
        for (int node = 1; node < tree.size(); node++) {
            int parent = places.get(tree.parent(node));
            places.add(
                    tree.verified(node)
                            ? union.addDistinct(parent, tree.token(node))
                            : union.addUnverified(parent, tree.token(node)));
        }
        return List.copyOf(places);
    }

    /// The proposal of one drafter of a union in a round.
    ///
    /// @param session the drafter's session
    /// @param draft   its draft
    /// @param places  the index in the union's tree of each of its nodes
    private record Proposal(DraftSession session, Draft draft, List<Integer> places) {
        /// Returns the nodes of the union's tree that it guessed.
        Contribution contribution(String drafter) {
            return new Contribution(drafter, places.stream().skip(1).distinct().sorted().toList());
        }

        /// Tells its session the result: how much of the accepted path it had guessed, and the
        /// token after that. The session follows the rest of the round.
        void observe(Follower round) {
            var own = accepted(round.verdict().acceptedNodes());
            int next = round.emitted().get(own.size());
            int last = own.isEmpty() ? 0 : own.getLast();
            var origin =
                    draft.tree().candidates(last).length > 0 ? Origin.CORRECTION : Origin.BONUS;
            session.observe(
                    draft, new Verdict(own, next, origin), new PartScores(round.scores(), places));
            round.follow(session, own.size() + 1, Optional.empty());
        }

        /// Returns its own nodes on the accepted path, up to the first node that it did not guess.
        private List<Integer> accepted(List<Integer> path) {
            List<Integer> own = new ArrayList<>();
            int node = 0;
            for (int wanted : path) {
                var child = child(draft.tree(), node, wanted);
                if (child.isEmpty()) {
                    break;
                }
                node = child.get();
                own.add(node);
            }
            return own;
        }

        private Optional<Integer> child(TokenTree tree, int node, int place) {
            for (int child : tree.candidates(node)) {
                if (places.get(child) == place) {
                    return Optional.of(child);
                }
            }
            return Optional.empty();
        }
    }
}
