package dev.outrider.training;

import java.util.List;

/// A text with guesses of a drafter below it, and what the target said where the drafter drew.
///
/// @param text   where it drew
/// @param logits of the target's successors, one row `[V]` for each visited node, in the order of the nodes; natural-log scale, no processor
///               applied; not changed
public record VerifiedText(VisitedText text, List<float[]> logits) {
    /// Copies the list, not the rows.
    public VerifiedText {
        logits = List.copyOf(logits);
        if (logits.size() != text.visited().cardinality()) {
            throw new IllegalArgumentException(
                    "%d rows of logits for %d visited nodes"
                            .formatted(logits.size(), text.visited().cardinality()));
        }
    }

    /// Its first nodes.
    public VerifiedText first(int nodes) {
        var part = text.first(nodes);
        return new VerifiedText(part, logits.subList(0, part.visited().cardinality()));
    }
}
