package dev.outrider.drafter.lookup.ngram;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import java.util.List;

/// Draft steps of a table: a node's successors depend on its own token alone.
///
/// @param distribution       the table's distribution
/// @param lastToken the last committed token
record NgramStepper(NgramDistribution distribution, int lastToken) implements DraftStepper {
    @Override
    public LogitRows root() {
        var row = distribution.logits(lastToken);
        return _ -> row;
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        var rows = nodes.stream().map(node -> distribution.logits(node.token())).toList();
        return rows::get;
    }
}
