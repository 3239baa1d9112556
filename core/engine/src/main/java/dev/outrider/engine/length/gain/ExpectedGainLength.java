package dev.outrider.engine.length.gain;

import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.function.Supplier;

/// The depth of most expected tokens for its measured time, 0 included: where no draft pays, plain decoding. Now and
/// then it tries another depth, to see what has changed.
///
/// In a batch a sequence pays for its own rows of the shared pass, and rows have a price for drafters that foretell acceptance.
///
/// Lengths follow measured times, so sampled output cannot be repeated from a seed; it stays exact.
///
/// @param initial depth of the first drafts, at least 1
/// @param most    greatest depth
/// @param trials  share of the time that trials of other depths may cost beyond the best one, in `[0, 1)`
@Doc(
        "The length of most expected tokens for its measured time, 0 included: plain decoding where no draft pays.")
public record ExpectedGainLength(
        @Default("4") @Doc("Length of the first drafts.") int initial,
        @Default("16") @Doc("Greatest length.") int most,
        @Default("0.01")
                @Doc(
                        "Share of the time that trials of other lengths may cost beyond the best one, in [0, 1): what it takes to notice a change.")
                double trials)
        implements DraftLengthPlan {
    private static final int GREATEST = 256;

    public ExpectedGainLength {
        if (initial < 1 || most < initial || most > GREATEST) {
            throw new IllegalArgumentException(
                    "initial %d and most %d must satisfy 1 <= initial <= most <= %d"
                            .formatted(initial, most, GREATEST));
        }
        if (!(trials >= 0 && trials < 1)) {
            throw new IllegalArgumentException("trials %s must be in [0, 1)".formatted(trials));
        }
    }

    @Override
    public DraftLengthPolicy start() {
        return new GainPolicy(this, new Experience(most, trials));
    }

    /// Starts sequences that learn from one another.
    public Supplier<DraftLengthPolicy> shared() {
        var experience = new Experience(most, trials);
        return () -> new GainPolicy(this, experience);
    }
}
