package dev.outrider.drafter.medusa.sequence;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.TreePlan;

/// A beam search whose beams share their prefixes.
///
/// @see "Cheng et al. 2024 (ReDrafter), section 3.2"
public record Beam(
        @Doc("Beams, at least 1.") int width, @Doc("Tokens of each, at least 1.") int length) {
    public Beam {
        if (width < 1 || length < 1) {
            throw new IllegalArgumentException(
                    "'width' (%d) and 'length' (%d) must be at least 1".formatted(width, length));
        }
        new TreePlan.Dynamic(width, length, Math.multiplyExact(width, length));
    }

    /// A plan with as many nodes as there are where beams share nothing.
    TreePlan.Dynamic most() {
        return new TreePlan.Dynamic(width, length, Math.multiplyExact(width, length));
    }
}
