package dev.outrider.drafter.ensemble;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import java.util.List;
import java.util.Optional;

/// Asks one of its sessions in each round, or none. The choice is made before anything is drafted, from finished rounds alone, so the output stays
/// exact (docs/reference/algorithms.md I1).
///
/// The one that drafted observes the verdict itself. The others follow ([Follower]). Confined to one thread.
final class ChoiceSession extends EnsembleSession {
    /// The name of plain decoding in reports.
    static final String PLAIN = "plain";

    private final Chooser chooser;
    private Optional<Asked> asked = Optional.empty();
    private int emitted;

    /// The part that drafted a round.
    ///
    /// @param part  a session's number, or the number of sessions for plain decoding
    /// @param draft as the session proposed it
    private record Asked(int part, Draft draft) {}

    /// @param sessions closed with the choice
    /// @param names    their names in reports
    ChoiceSession(List<DraftSession> sessions, List<String> names, Chooser chooser) {
        super(sessions, names);
        this.chooser = chooser;
    }

    /// Without room for a guess there is nothing to choose.
    @Override
    protected Draft draft(DraftBudget budget, Randomness randomness) {
        asked = Optional.empty();
        if (budget.maxNodes() == 0) {
            return Draft.empty(root());
        }
        int part = chooser.next();
        boolean plain = part == sessions().size();
        var draft = plain ? Draft.empty(root()) : sessions().get(part).propose(budget, randomness);
        asked = Optional.of(new Asked(part, draft));
        return new Draft(
                draft.tree(),
                draft.selection(),
                partName(part),
                chooser.reason() + ": " + partName(part));
    }

    private String partName(int part) {
        return part == sessions().size() ? PLAIN : name(part);
    }

    @Override
    protected void tell(Draft draft, Follower round) {
        emitted = round.emitted().size();
        for (int part = 0; part < sessions().size(); part++) {
            var session = sessions().get(part);
            if (asked.isPresent() && asked.get().part() == part) {
                session.observe(asked.get().draft(), round.verdict(), round.scores());
            } else {
                round.follow(session, 0, Optional.empty());
            }
        }
    }

    @Override
    public void onRoundTime(long nanos) {
        super.onRoundTime(nanos);
        if (nanos > 0) { // a clock that does not move says nothing
            asked.ifPresent(_ -> chooser.observe(emitted, nanos));
        }
    }

    /// Chooses the drafter of each round of one sequence. Uses finished rounds only, never a token that
    /// is being drafted (docs/reference/algorithms.md I1). Confined to one thread.
    interface Chooser {
        /// Returns the drafter of the next round: its index, or the number of drafters for plain
        /// decoding.
        int next();

        /// Returns the reason of the last choice, in one or two words.
        String reason();

        /// Learns from the last chosen round.
        ///
        /// @param tokens emitted
        /// @param nanos  time of the round
        void observe(int tokens, double nanos);
    }
}
