package dev.outrider.experiment.run;

import dev.outrider.engine.check.Losslessness;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.spi.sampling.SamplingPolicy;

/// One side of a comparison: plain decoding, or a variant.
///
/// @param name         distinct within a comparison
/// @param baseline     name of the plain decoding it is compared with; its own name if it is plain decoding itself
/// @param drafter      name of the drafter in its configuration, `none` for plain decoding
/// @param rule         name of the acceptance rule that decides
/// @param policy       how tokens are chosen
/// @param losslessness what is promised about its output
/// @param decoder      generates
public record Side(
        String name,
        String baseline,
        String drafter,
        String rule,
        SamplingPolicy policy,
        Losslessness losslessness,
        Decoder decoder) {
    /// Whether this is plain decoding.
    public boolean plain() {
        return name.equals(baseline);
    }

    /// What is promised about its output, as reports spell it.
    public String exactness() {
        return switch (losslessness) {
            case LOSSLESS_IN_DISTRIBUTION -> "lossless-in-distribution";
            case GREEDY_EQUAL -> "greedy-equal";
            case LOSSY -> "lossy";
        };
    }
}
