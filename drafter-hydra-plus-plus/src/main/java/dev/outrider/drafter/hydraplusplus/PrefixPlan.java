package dev.outrider.drafter.hydraplusplus;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.Divergence;

/// Heads that are to be trained.
///
/// @see "Ankner et al. 2024 (Hydra), section 4"
public record PrefixPlan(
        @Doc("Number of heads, at least 1: how far ahead they guess.") int count,
        @Doc(
                        "Residual blocks of a head, at least 1; those after the first are one block, as in the authors' program.")
                @Default("1")
                int blocks,
        @Doc(
                        "Whether each head has a projection of its own, as the authors' program expects; otherwise all use the target's.")
                @Default("true")
                boolean ownProjection,
        @Doc("Weight of a head in the loss relative to the one before it; in (0, 1].")
                @Default("1")
                double decay,
        @Doc("How a head's distribution is compared with the target's.") @Default("forward-kl")
                Divergence divergence) {
    public PrefixPlan {
        if (count < 1 || blocks < 1) {
            throw new IllegalArgumentException(
                    "'count' (%d) and 'blocks' (%d) must be at least 1".formatted(count, blocks));
        }
        if (!(decay > 0 && decay <= 1)) {
            throw new IllegalArgumentException("'decay' must be in (0, 1], got " + decay);
        }
    }
}
