package dev.outrider.testkit;

import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import java.util.Set;

/// A target with fewer positions or other end tokens, so that their limits are reached soon. The
/// caller closes the target.
///
/// @param target        computes the scores
/// @param maxPositions  longest sequence, at most the target's own
/// @param endOfSequence tokens that end a sequence
record RestrictedTarget(TargetModel target, int maxPositions, Set<Integer> endOfSequence)
        implements ForwardingTarget {
    /// Copies the tokens and checks the positions.
    public RestrictedTarget {
        endOfSequence = Set.copyOf(endOfSequence);
        if (maxPositions < 1 || maxPositions > target.description().maxPositions()) {
            throw new IllegalArgumentException(
                    "maxPositions %d must be 1 to %d"
                            .formatted(maxPositions, target.description().maxPositions()));
        }
    }

    @Override
    public TargetDescription description() {
        var all = target.description();
        return new TargetDescription(
                all.name(),
                all.backend(),
                all.vocabularySize(),
                all.hiddenSize(),
                all.layers(),
                maxPositions,
                all.parameters(),
                endOfSequence,
                all.digest(),
                all.sources());
    }

    @Override
    public void close() {}
}
