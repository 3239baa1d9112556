package dev.outrider.spi;

import java.util.Set;

/// What an acceptance rule promises.
///
/// @param name     the rule's name in configurations and reports
/// @param lossless whether the output follows the target's law exactly for every supported draft
/// @param greedyOnly whether the promise holds only for policies whose law is one-hot
/// @param exactFor selections the promise holds for
/// @param shape    the most general shape the rule can take
/// @param source   paper and section
public record RuleTraits(
        String name,
        boolean lossless,
        boolean greedyOnly,
        Set<SelectionKind> exactFor,
        TreeShape shape,
        String source) {
    /// Copies the kinds.
    public RuleTraits {
        exactFor = Set.copyOf(exactFor);
    }
}
