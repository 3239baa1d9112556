package dev.outrider.nn.network;

import dev.outrider.common.Require;
import java.util.List;

/// A change of rotary frequencies so that a decoder reads longer sequences than those of its first training.
/// `f = theta^(-2i/d)` below is the unchanged frequency of pair `i` of a head of `d` numbers.
public sealed interface RopeScaling {
    /// Unchanged frequencies.
    record Unscaled() implements RopeScaling {}

    /// Unchanged frequencies up to `positions` tokens. In Transformers the base grows with longer texts; here longer texts are
    /// refused.
    ///
    /// @param factor growth of the base; kept to be written again
    record Dynamic(double factor, int positions) implements RopeScaling {
        public Dynamic {
            Require.positive("factor", factor);
        }
    }

    /// All frequencies are divided by `factor`.
    ///
    /// @see "Chen et al. 2023, position interpolation"
    record Linear(double factor) implements RopeScaling {
        public Linear {
            Require.positive("factor", factor);
        }
    }

    /// Waves longer than `positions / lowFrequencyFactor` are divided by `factor`, those shorter than
    /// `positions / highFrequencyFactor` are kept, and those between are blended.
    ///
    /// @param positions longest sequence of the first training
    /// @see "Llama 3.1 model card"
    record Llama3(
            double factor, double lowFrequencyFactor, double highFrequencyFactor, int positions)
            implements RopeScaling {
        public Llama3 {
            Require.positive("factor", factor);
            Require.positive("low_freq_factor", lowFrequencyFactor);
            Require.positive("original_max_position_embeddings", positions);
            Require.that(
                    highFrequencyFactor > lowFrequencyFactor,
                    "high_freq_factor %s is not above low_freq_factor %s",
                    highFrequencyFactor,
                    lowFrequencyFactor);
        }
    }

    /// Pairs that turn less than `betaSlow` times within `positions` are divided by `factor`, those that turn more
    /// than `betaFast` times are kept, and those between are blended by pair number. Cosines and sines are
    /// multiplied by `attentionFactor`.
    ///
    /// @param positions longest sequence of the first training
    /// @param truncate  whether the blend begins and ends at whole pairs
    /// @see "Peng et al. 2023 (YaRN)"
    record Yarn(
            double factor,
            double betaFast,
            double betaSlow,
            int positions,
            double attentionFactor,
            boolean truncate)
            implements RopeScaling {
        public Yarn {
            Require.positive("factor", factor);
            Require.positive("beta_slow", betaSlow);
            Require.positive("original_max_position_embeddings", positions);
            Require.positive("attention_factor", attentionFactor);
            Require.that(
                    betaFast > betaSlow,
                    "beta_fast %s is not above beta_slow %s",
                    betaFast,
                    betaSlow);
        }

        /// Returns the usual attention factor of a scaling factor, `0.1 ln(factor) + 1`.
        public static double defaultAttentionFactor(double factor) {
            return attentionFactor(factor, 1);
        }

        /// Returns an attention factor with a weight on its growth.
        public static double attentionFactor(double factor, double weight) {
            return factor <= 1 ? 1 : 0.1 * weight * Math.log(factor) + 1;
        }
    }

    /// Every pair has a divisor of its frequency. There are separate divisors for texts of at most `positions` tokens and for
    /// longer ones. Cosines and sines are multiplied by `attentionFactor`.
    ///
    /// @param shorter   divisors of the pairs if no text is longer than `positions`
    /// @param longer    divisors of the pairs if texts may be longer
    /// @param positions longest sequence of the first training
    /// @see "Ding et al. 2024 (LongRoPE); Abdin et al. 2024 (Phi-3)"
    record LongRope(
            List<Double> shorter, List<Double> longer, int positions, double attentionFactor)
            implements RopeScaling {
        public LongRope {
            shorter = List.copyOf(shorter);
            longer = List.copyOf(longer);
            Require.positive("original_max_position_embeddings", positions);
            Require.positive("attention_factor", attentionFactor);
            shorter.forEach(factor -> Require.positive("short_factor", factor));
            longer.forEach(factor -> Require.positive("long_factor", factor));
        }

        /// Returns the divisors for texts of at most a number of tokens.
        List<Double> divisors(int longest) {
            return longest > positions ? longer : shorter;
        }
    }

    /// Returns the frequencies in radians per position, one per pair.
    ///
    /// @param size    numbers of a head that are rotated, even
    /// @param longest text that may be read
    default double[] frequencies(double theta, int size, int longest) {
        var frequencies = new double[size / 2];
        for (int pair = 0; pair < frequencies.length; pair++) {
            double plain = StrictMath.pow(theta, -2.0 * pair / size);
            frequencies[pair] =
                    switch (this) {
                        case Unscaled(), Dynamic _ -> plain;
                        case Linear(double factor) -> plain / factor;
                        case Llama3 llama3 -> scaled(llama3, plain);
                        case Yarn yarn -> scaled(yarn, plain, pair, theta, size);
                        case LongRope rope -> plain / rope.divisors(longest).get(pair);
                    };
        }
        return frequencies;
    }

    /// Returns the factor of cosines and sines.
    default double amplitude() {
        return switch (this) {
            case Unscaled(), Dynamic _, Linear _, Llama3 _ -> 1;
            case Yarn yarn -> yarn.attentionFactor();
            case LongRope rope -> rope.attentionFactor();
        };
    }

    private static double scaled(Llama3 rule, double plain) {
        double wave = 2 * Math.PI / plain;
        if (wave < rule.positions() / rule.highFrequencyFactor()) {
            return plain;
        }
        if (wave > rule.positions() / rule.lowFrequencyFactor()) {
            return plain / rule.factor();
        }
        double kept =
                (rule.positions() / wave - rule.lowFrequencyFactor())
                        / (rule.highFrequencyFactor() - rule.lowFrequencyFactor());
        return (1 - kept) * plain / rule.factor() + kept * plain;
    }

    private static double scaled(Yarn rule, double plain, int pair, double theta, int size) {
        double first = pairTurning(rule.betaFast(), rule.positions(), theta, size);
        double last = pairTurning(rule.betaSlow(), rule.positions(), theta, size);
        if (rule.truncate()) {
            first = Math.floor(first);
            last = Math.ceil(last);
        }
        first = Math.max(first, 0);
        last = Math.min(last, size - 1);
        if (first == last) {
            last += 0.001;
        }
        double divided = Math.clamp((pair - first) / (last - first), 0, 1);
        return plain * (1 - divided) + plain / rule.factor() * divided;
    }

    /// Returns the pair, as a real number, that turns `turns` times within `positions`.
    private static double pairTurning(double turns, int positions, double theta, int size) {
        return size
                * StrictMath.log(positions / (2 * Math.PI * turns))
                / (2 * StrictMath.log(theta));
    }
}
