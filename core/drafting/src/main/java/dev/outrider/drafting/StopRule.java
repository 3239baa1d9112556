package dev.outrider.drafting;

import dev.outrider.common.Require;
import java.util.function.DoubleSupplier;

/// The rule by which a drafter stops guessing below a node.
///
/// Every rule here keeps losslessness for every acceptance rule: it may look at a token that stays in the
/// draft, and at the distribution of a token not drawn yet, but never drops a token because of its value
/// (docs/reference/algorithms.md I1).
public sealed interface StopRule {
    /// Never stops before the plan and the budget end the draft.
    record Never() implements StopRule {}

    /// Does not guess below a token that was less probable than `threshold`; the token itself stays.
    ///
    /// The probability is the one the token was drawn with; for tokens chosen by rank it is that of the
    /// softmax at temperature 1.
    ///
    /// @param threshold in (0, 1]
    /// @see "Gante 2023, assisted generation: assistant_confidence_threshold"
    record LowConfidence(double threshold) implements StopRule {
        public LowConfidence {
            Require.that(
                    threshold > 0 && threshold <= 1, "threshold %s must be in (0, 1]", threshold);
        }
    }

    /// Does not guess from a distribution with high entropy H: stops where `1 - sqrt(coefficient * H) < threshold`.
    ///
    /// H, in nats, is the entropy of the distribution that tokens are drawn from; for tokens chosen by rank, that of the softmax
    /// at temperature 1.
    ///
    /// @param coefficient positive
    /// @param threshold   less than 1
    /// @see "Agrawal et al. 2024 (AdaEDL)"
    record HighEntropy(double coefficient, double threshold) implements StopRule {
        public HighEntropy {
            Require.that(
                    coefficient > 0 && coefficient < Double.POSITIVE_INFINITY && threshold < 1,
                    "coefficient %s must be positive and threshold %s less than 1",
                    coefficient,
                    threshold);
        }
    }

    /// Whether guesses may follow a token of this probability.
    default boolean continuesBelow(double probability) {
        return switch (this) {
            case Never() -> true;
            case LowConfidence(double threshold) -> probability >= threshold;
            case HighEntropy(double _, double _) -> true;
        };
    }

    /// Whether tokens may be guessed from a distribution.
    ///
    /// @param entropy its entropy in nats, computed only if the rule reads it
    default boolean guessesFrom(DoubleSupplier entropy) {
        return switch (this) {
            case Never() -> true;
            case LowConfidence(double _) -> true;
            case HighEntropy(double coefficient, double threshold) ->
                    1 - Math.sqrt(coefficient * Math.max(entropy.getAsDouble(), 0)) >= threshold;
        };
    }

    /// Returns whether the rule reads probabilities.
    default boolean readsProbabilities() {
        return this instanceof LowConfidence;
    }
}
