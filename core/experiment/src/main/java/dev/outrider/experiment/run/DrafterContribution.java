package dev.outrider.experiment.run;

import java.util.LinkedHashMap;
import java.util.List;

/// The drafts of one of several drafters that a variant has.
///
/// @param drafter   its name
/// @param proposals drafts in which it guessed anything
/// @param nodes     nodes that it guessed
/// @param accepted  accepted draft tokens among them
public record DrafterContribution(String drafter, long proposals, long nodes, long accepted) {
    /// Returns sums by drafter, in the order of their first drafts; empty if there is only one drafter.
    public static List<DrafterContribution> sums(List<RoundRecord> rounds) {
        var byDrafter = new LinkedHashMap<String, DrafterContribution>();
        for (var round : rounds) {
            if (!round.drafter().isEmpty()) {
                var own =
                        new DrafterContribution(
                                round.drafter(),
                                round.nodes() > 0 ? 1 : 0,
                                round.nodes(),
                                round.accepted());
                byDrafter.merge(own.drafter(), own, DrafterContribution::plus);
            }
        }
        return List.copyOf(byDrafter.values());
    }

    private DrafterContribution plus(DrafterContribution other) {
        return new DrafterContribution(
                drafter,
                proposals + other.proposals,
                nodes + other.nodes,
                accepted + other.accepted);
    }
}
