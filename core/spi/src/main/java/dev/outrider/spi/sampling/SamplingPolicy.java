package dev.outrider.spi.sampling;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The function D that turns logits into a distribution, the same for p and for q (docs/reference/algorithms.md A1.1). Processors
/// apply in the order of Hugging Face Transformers: repetition penalty, temperature, top-k, top-p, min-p,
/// softmax.
///
/// Ties. Top-k keeps every logit equal to the k-th. For top-p, tokens are in order of falling probability;
/// a token is dropped if the tokens before it have at least `topP` (Transformers' rule: if that mass equals
/// `topP` exactly, the token is dropped; other libraries keep it). Transformers leaves the order of equally
/// probable tokens to its sort; here the lower id is first, as for argmax. Top-p measures the tokens that top-k
/// keeps, renormalised.
///
/// @param temperature       0 means argmax; anything below [#GREEDY_BELOW] counts as 0
/// @param topK              keep logits at least as large as the k-th largest, ties included; 0 keeps all
/// @param topP              drop a token if the tokens before it have at least this mass; 1 keeps all
/// @param minP              keep tokens at least this fraction as probable as the best; 0 keeps all
/// @param repetitionPenalty divides positive and multiplies negative logits of tokens seen before; 1 is off
@API(status = Status.STABLE, since = "2")
public record SamplingPolicy(
        @Default("0") @Doc("0 is argmax; otherwise logits are divided by it.") double temperature,
        @Default("0") @Doc("Keep the k best logits, ties included; 0 keeps all.") int topK,
        @Default("1") @Doc("Keep tokens until this much mass is above them; 1 keeps all.")
                double topP,
        @Default("0")
                @Doc("Keep tokens at least this fraction as probable as the best; 0 keeps all.")
                double minP,
        @Default("1") @Doc("Weakens tokens seen before; 1 is off.") double repetitionPenalty) {
    /// Temperatures below this are argmax.
    public static final double GREEDY_BELOW = 1e-5;

    /// Checks every setting.
    public SamplingPolicy {
        require(
                temperature >= 0 && temperature < 1e6,
                "temperature",
                temperature,
                "0 or more and below 1e6");
        require(topK >= 0, "topK", topK, "0 (off) or more");
        require(topP > 0 && topP <= 1, "topP", topP, "in (0, 1]");
        require(minP >= 0 && minP <= 1, "minP", minP, "in [0, 1]");
        require(
                repetitionPenalty > 0 && repetitionPenalty < 1e6,
                "repetitionPenalty",
                repetitionPenalty,
                "above 0 and below 1e6");
    }

    /// {@return argmax decoding}
    public static SamplingPolicy argmax() {
        return new SamplingPolicy(0, 0, 1, 0, 1);
    }

    /// {@return sampling from the softmax at a temperature, nothing truncated}
    ///
    /// @param temperature 0 or more
    public static SamplingPolicy atTemperature(double temperature) {
        return new SamplingPolicy(temperature, 0, 1, 0, 1);
    }

    /// {@return whether the distribution is one-hot at the argmax}
    public boolean greedy() {
        return temperature < GREEDY_BELOW;
    }

    /// {@return whether the distribution depends on tokens seen before}
    public boolean usesHistory() {
        return repetitionPenalty != 1;
    }

    private static void require(boolean condition, String name, double value, String expected) {
        if (!condition) {
            throw new IllegalArgumentException("%s %s must be %s".formatted(name, value, expected));
        }
    }
}
