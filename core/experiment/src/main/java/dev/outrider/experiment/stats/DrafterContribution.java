package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.experiment.run.RoundRecord.Contributed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The contribution of one of several drafters in all rounds of a variant.
///
/// @param drafter   its name
/// @param proposals rounds in which it guessed anything
/// @param nodes     nodes that it guessed
/// @param accepted  accepted draft tokens among them
/// @param alone     accepted draft tokens that no other drafter guessed
public record DrafterContribution(
        String drafter, long proposals, long nodes, long accepted, long alone) {
    /// Sums by drafter, in the order of their drafts; none where one drafter drafts alone.
    static List<DrafterContribution> of(List<RoundRecord> rounds) {
        Map<String, DrafterContribution> byDrafter = new LinkedHashMap<>();
        for (var round : rounds) {
            for (var earned : round.drafters()) {
                byDrafter.merge(earned.drafter(), of(earned), DrafterContribution::plus);
            }
        }
        return List.copyOf(byDrafter.values());
    }

    private static DrafterContribution of(Contributed earned) {
        return new DrafterContribution(
                earned.drafter(),
                earned.nodes() > 0 ? 1 : 0,
                earned.nodes(),
                earned.accepted(),
                earned.alone());
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
