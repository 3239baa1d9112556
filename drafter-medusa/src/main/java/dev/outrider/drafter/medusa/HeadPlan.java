package dev.outrider.drafter.medusa;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.Divergence;

/// Heads that are to be trained.
///
/// @see "Cai et al. 2024 (Medusa), sections 3.1 and 3.3.1"
public record HeadPlan(
        @Doc("Number of heads, at least 1: how far ahead they guess.") int count,
        @Doc("Residual blocks of a head, at least 1.") @Default("1") int layers,
        @Doc("Whose matrix turns a head's output into logits: one of its own, or the target's.")
                Projection projection,
        @Doc(
                        "What a head learns: the text's token, or the target's distribution at the place"
                                + " before, which is what a draft is judged by.")
                @Default("text")
                Labels labels,
        @Doc("Weight of a head in the loss relative to the one before it; in (0, 1].")
                @Default("0.8")
                double decay,
        @Doc("How a head's distribution is compared with the target's, where that is its label.")
                @Default("forward-kl")
                Divergence divergence) {
    /// Whose vocabulary projection a head uses.
    public enum Projection {
        OWN,
        TARGET
    }

    /// What a head learns.
    public enum Labels {
        TEXT,
        TARGET
    }

    public HeadPlan {
        if (count < 1 || layers < 1) {
            throw new IllegalArgumentException(
                    "'count' (%d) and 'layers' (%d) must be at least 1".formatted(count, layers));
        }
        if (!(decay > 0 && decay <= 1)) {
            throw new IllegalArgumentException("'decay' must be in (0, 1], got " + decay);
        }
    }
}
