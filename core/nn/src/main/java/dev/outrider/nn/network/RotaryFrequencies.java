package dev.outrider.nn.network;

/// Rotary frequencies in radians per position, in double precision.
final class RotaryFrequencies {
    private RotaryFrequencies() {}

    /// @param size    numbers of a head that are rotated, even
    /// @param longest text that may be read
    /// @return one frequency per pair, shape `[size / 2]`
    static double[] of(double theta, int size, RopeScaling scaling, int longest) {
        var frequencies = new double[size / 2];
        for (int pair = 0; pair < frequencies.length; pair++) {
            double plain = StrictMath.pow(theta, -2.0 * pair / size);
            frequencies[pair] =
                    switch (scaling) {
                        case RopeScaling.Unscaled() -> plain;
                        case RopeScaling.Linear(double factor) -> plain / factor;
                        case RopeScaling.Llama3 llama3 -> scaled(llama3, plain);
                        case RopeScaling.Yarn yarn -> scaled(yarn, plain, pair, theta, size);
                        case RopeScaling.LongRope rope -> plain / rope.divisors(longest).get(pair);
                    };
        }
        return frequencies;
    }

    /// What cosines and sines are multiplied by.
    static double amplitude(RopeScaling scaling) {
        return switch (scaling) {
            case RopeScaling.Unscaled(), RopeScaling.Linear _, RopeScaling.Llama3 _ -> 1;
            case RopeScaling.Yarn yarn -> yarn.attentionFactor();
            case RopeScaling.LongRope rope -> rope.attentionFactor();
        };
    }

    private static double scaled(RopeScaling.Llama3 rule, double plain) {
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

    private static double scaled(
            RopeScaling.Yarn rule, double plain, int pair, double theta, int size) {
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

    /// The pair, as a real number, that turns `turns` times within `positions`.
    private static double pairTurning(double turns, int positions, double theta, int size) {
        return size
                * StrictMath.log(positions / (2 * Math.PI * turns))
                / (2 * StrictMath.log(theta));
    }
}
