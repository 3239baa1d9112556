package dev.outrider.engine.length;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.run.DraftLengthPolicy;

/// The same length every round.
///
/// @param tokens greatest depth; [Integer#MAX_VALUE] means the drafter's own limit
@Doc("The same length every round.")
public record FixedLength(@Doc("Greatest depth of a draft, at least 0.") int tokens)
        implements DraftLengthPlan {
    public FixedLength {
        Require.that(tokens >= 0, "draft length %d is negative", tokens);
    }

    /// The greatest length that the drafter supports.
    public static FixedLength drafterLimit() {
        return new FixedLength(Integer.MAX_VALUE);
    }

    @Override
    public DraftLengthPolicy start() {
        return () -> tokens;
    }
}
