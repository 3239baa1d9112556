package dev.outrider.audit;

import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.spi.sampling.SamplingPolicy;

/// How a request wants tokens to be sampled.
///
/// @param policy    temperature and truncations
/// @param presence  penalty of a token that was written
/// @param frequency penalty for each time
/// @param order     of the operators
record Wanted(SamplingPolicy policy, double presence, double frequency, String order) {
    static Wanted of(SamplingPolicy policy) {
        return new Wanted(policy, 0, 0, SamplingOperators.none().order());
    }

    Wanted penalised(double byPresence, double byFrequency) {
        return new Wanted(policy, byPresence, byFrequency, order);
    }

    Wanted temperature(double value) {
        return with(
                new SamplingPolicy(
                        policy.greedy() ? 0 : value,
                        policy.topK(),
                        policy.topP(),
                        policy.minP(),
                        policy.repetitionPenalty()));
    }

    Wanted topP(double value) {
        return with(
                new SamplingPolicy(
                        policy.temperature(),
                        policy.topK(),
                        value,
                        policy.minP(),
                        policy.repetitionPenalty()));
    }

    Wanted minP(double value) {
        return with(
                new SamplingPolicy(
                        policy.temperature(),
                        policy.topK(),
                        policy.topP(),
                        value,
                        policy.repetitionPenalty()));
    }

    Wanted order(String value) {
        return new Wanted(policy, presence, frequency, value);
    }

    private Wanted with(SamplingPolicy other) {
        return new Wanted(other, presence, frequency, order);
    }

    SamplingOperators operators() {
        var none = SamplingOperators.none();
        return new SamplingOperators(
                order,
                presence,
                frequency,
                none.bias(),
                none.banned(),
                none.allowed(),
                none.minTokens(),
                none.dry(),
                none.topNSigma(),
                none.typical(),
                none.topA(),
                none.epsilon(),
                none.eta(),
                none.xtc(),
                none.dynamicTemperature(),
                none.mirostat());
    }
}
