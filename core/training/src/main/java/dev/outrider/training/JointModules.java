package dev.outrider.training;

import dev.outrider.spi.Default;
import dev.outrider.spi.Doc;

/// Multi-token prediction modules that are trained together with their decoder, a step each.
///
/// @param heads      modules D
/// @param lossWeight lambda: weight of the mean of their losses beside the decoder's own
/// @see "DeepSeek-AI 2024 (DeepSeek-V3), section 2.2 and 4.2"
public record JointModules(
        @Doc("Multi-token prediction modules, at least 1.") @Default("1") int heads,
        @Doc("Weight of the mean of the modules' losses beside the decoder's own, positive.")
                @Default("0.3")
                double lossWeight) {
    public JointModules {
        if (heads < 1) {
            throw new IllegalArgumentException("heads is %d; expected at least 1".formatted(heads));
        }
        if (!(lossWeight > 0 && lossWeight < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "lossWeight %s is not positive".formatted(lossWeight));
        }
    }

    /// The modules.
    MtpModules modules() {
        return MtpModules.independent(heads);
    }
}
