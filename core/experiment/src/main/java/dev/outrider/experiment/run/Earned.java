package dev.outrider.experiment.run;

import dev.outrider.spi.draft.Draft.Contribution;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.tree.Verdict;
import java.util.HashSet;
import java.util.List;

/// What one of several drafters earned in a round whose draft they made together.
///
/// @param drafter  its name
/// @param nodes    nodes of the draft that it guessed
/// @param accepted accepted draft tokens among them
/// @param alone    accepted draft tokens that nobody else guessed
public record Earned(String drafter, int nodes, int accepted, int alone) {
    /// What each earned, in the order of the draft.
    static List<Earned> of(Draft draft, Verdict verdict) {
        return draft.contributions().stream()
                .map(own -> of(own, draft.contributions(), verdict))
                .toList();
    }

    private static Earned of(Contribution own, List<Contribution> all, Verdict verdict) {
        var accepted = new HashSet<>(own.nodes());
        accepted.retainAll(verdict.acceptedNodes());
        var alone = new HashSet<>(accepted);
        all.stream()
                .filter(each -> !each.drafter().equals(own.drafter()))
                .forEach(each -> alone.removeAll(each.nodes()));
        return new Earned(own.drafter(), own.nodes().size(), accepted.size(), alone.size());
    }
}
