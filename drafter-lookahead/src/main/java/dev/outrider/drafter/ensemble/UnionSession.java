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

    /// A union of trees with the same root: a guess that is already there is not added again.
    /// Confined to one thread.
    private static final class MergedTree {
        private final TokenTree.Builder builder;

        MergedTree(int rootToken) {
            this.builder = TokenTree.builder(rootToken);
        }

        /// Adds a tree.
        ///
        /// @return the index here of each of its nodes
        List<Integer> add(TokenTree tree) {
            List<Integer> places = new ArrayList<>(List.of(0));
            for (int node = 1; node < tree.size(); node++) {
                int parent = places.get(tree.parent(node));
                places.add(
                        tree.verified(node)
                                ? builder.addDistinct(parent, tree.token(node))
                                : builder.addUnverified(parent, tree.token(node)));
            }
            return List.copyOf(places);
        }

        /// Returns the number of nodes below the root.
        int draftedNodes() {
            return builder.size() - 1;
        }

        TokenTree tree() {
            return builder.build();
        }
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
