package dev.outrider.drafter.ensemble;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Asks its sessions in order until one proposes something. Which session drafts is a function of
/// the history and the drafting randomness, never of a token that was left out, so the output stays
/// exact (docs/reference/algorithms.md I1).
///
/// The session whose draft was scored observes the verdict itself. The others follow ([Follower]).
/// Confined to one thread.
final class CascadeSession extends EnsembleSession {
    /// The proposals of the sessions that were asked in the last round; the last one is the round's
    /// draft.
    private List<Draft> drafts = List.of();

    /// @param sessions in order of preference; closed with the cascade
    /// @param names    their names in reports
    CascadeSession(List<DraftSession> sessions, List<String> names) {
        super(sessions, names);
    }

    @Override
    protected Draft draft(DraftBudget budget, Randomness randomness) {
        var asked = new ArrayList<Draft>();
        do {
            asked.add(sessions().get(asked.size()).propose(budget, randomness));
        } while (asked.getLast().tree().draftedNodes() == 0 && asked.size() < sessions().size());
        drafts = List.copyOf(asked);
        return new Draft(
                drafts.getLast().tree(), drafts.getLast().selection(), name(drafts.size() - 1), "");
    }

    @Override
    protected void tell(Draft draft, Follower round) {
        int proposer = drafts.size() - 1;
        for (int i = 0; i < sessions().size(); i++) {
            if (i == proposer) {
                sessions().get(i).observe(drafts.getLast(), round.verdict(), round.scores());
            } else {
                // Sessions before the proposer were asked and proposed nothing; later ones were not
                // asked.
                var nothing = i < proposer ? Optional.of(drafts.get(i)) : Optional.<Draft>empty();
                round.follow(sessions().get(i), 0, nothing);
            }
        }
    }
}
