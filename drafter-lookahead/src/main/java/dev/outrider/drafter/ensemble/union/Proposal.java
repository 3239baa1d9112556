package dev.outrider.drafter.ensemble.union;

import dev.outrider.drafter.ensemble.Follower;
import dev.outrider.drafter.ensemble.PartScores;
import dev.outrider.spi.draft.Draft.Contribution;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What one drafter of a union proposed in a round.
///
/// @param session whose it is
/// @param draft   what it proposed
/// @param places  where its nodes are in the union's tree
record Proposal(DraftSession session, Draft draft, List<Integer> places) {
    /// The nodes of the union's tree that it guessed.
    Contribution contribution(String drafter) {
        return new Contribution(drafter, places.stream().skip(1).distinct().sorted().toList());
    }

    /// Tells its session what became of it: how much of the accepted path it had guessed and which token came instead of its next guess;
    /// what came after that, the session follows.
    void observe(Follower round) {
        var own = accepted(round.verdict().acceptedNodes());
        int next = round.emitted().get(own.size());
        int last = own.isEmpty() ? 0 : own.getLast();
        var origin =
                draft.tree().candidates(last).length > 0
                        ? Verdict.Origin.CORRECTION
                        : Verdict.Origin.BONUS;
        session.observe(
                draft, new Verdict(own, next, origin), new PartScores(round.scores(), places));
        round.follow(session, own.size() + 1, Optional.empty());
    }

    /// Its own nodes on the accepted path, as far as it goes along.
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
