package dev.outrider.drafter.bandit;

import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.function.Supplier;

/// The length whose speedup could be the greatest, as far as its rounds tell: UCB1 over the depths from 0 on.
///
/// Lengths follow measured times, so sampled output cannot be repeated from a seed; it stays exact.
///
/// @param max    greatest depth
/// @param width  of the confidence bound, in speedups: the bound of an arm of n rounds in N is `width sqrt(2 ln N / n)` above its mean
/// @param memory share of the past that a round leaves, in `(0, 1]`
/// @see "Auer, Cesa-Bianchi and Fischer 2002, figure 1; Hou et al. 2025 (BanditSpec)"
@Doc(
        "UCB1 over lengths from 0 on: the one whose speedup could be the greatest, as far as its rounds tell.")
public record UcbLength(
        @Default("8") @Doc("Greatest length; each length up to it is an arm, 0 included.") int max,
        @Default("0.1")
                @Doc(
                        "Width of the confidence bound in speedups, at least 0: the greater, the more is tried.")
                double width,
        @Default("0.999") @Doc("Share of the past a round leaves, in (0, 1].") double memory)
        implements DraftLengthPlan {
    public UcbLength {
        ArmLimits.requireMax(max);
        if (!(width >= 0 && width < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("width %s is not at least 0".formatted(width));
        }
        if (!(memory > 0 && memory <= 1)) {
            throw new IllegalArgumentException("memory %s must be in (0, 1]".formatted(memory));
        }
    }

    @Override
    public DraftLengthPolicy start() {
        return shared().get();
    }

    /// Starts sequences that learn from one another.
    public Supplier<DraftLengthPolicy> shared() {
        var bounds = new UpperBounds(max + 1, width, memory);
        return () -> new BanditPolicy(bounds, UpperBounds.HOLD);
    }
}
