package dev.outrider.experiment.run;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.tree.Verdict;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/// The contribution of one of several drafters to a draft that they made together, or to several.
///
/// @param drafter   its name
/// @param proposals drafts in which it guessed anything
/// @param nodes     nodes that it guessed
/// @param accepted  accepted draft tokens among them
/// @param alone     accepted draft tokens that no other drafter guessed
public record DrafterContribution(
        String drafter, long proposals, long nodes, long accepted, long alone) {
    /// Returns the contributions to a draft, in its order.
    static List<DrafterContribution> of(Draft draft, Verdict verdict) {
        return draft.contributions().stream()
                .map(own -> of(own, draft.contributions(), verdict))
                .toList();
    }

    private static DrafterContribution of(
            Draft.Contribution own, List<Draft.Contribution> all, Verdict verdict) {
        var accepted = new HashSet<>(own.nodes());
        accepted.retainAll(verdict.acceptedNodes());
        var alone = new HashSet<>(accepted);
        all.stream()
                .filter(each -> !each.drafter().equals(own.drafter()))
                .forEach(each -> alone.removeAll(each.nodes()));
        int nodes = own.nodes().size();
        return new DrafterContribution(
                own.drafter(), nodes > 0 ? 1 : 0, nodes, accepted.size(), alone.size());
    }

    /// Returns sums by drafter, in the order of their drafts; none where one drafter drafts alone.
    public static List<DrafterContribution> sums(List<RoundRecord> rounds) {
        var byDrafter = new LinkedHashMap<String, DrafterContribution>();
        for (var round : rounds) {
            round.drafters()
                    .forEach(each ->
                            byDrafter.merge(each.drafter(), each, DrafterContribution::plus));
        }
        return List.copyOf(byDrafter.values());
    }

    private DrafterContribution plus(DrafterContribution other) {
        return new DrafterContribution(
                drafter,
                proposals + other.proposals,
                nodes + other.nodes,
                accepted + other.accepted,
                alone + other.alone);
    }
}
