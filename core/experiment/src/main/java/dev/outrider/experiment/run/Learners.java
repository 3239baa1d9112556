package dev.outrider.experiment.run;

import dev.outrider.engine.plugins.Factories;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// What becomes of variants whose drafter learns from its own rounds. Whoever takes a drafter for the same at every call refuses them.
public enum Learners {
    /// They are refused.
    REFUSED,

    /// They run: whoever runs them lets them learn between generations.
    LEARNING;

    /// @throws OutriderException `CAPABILITY_MISSING` if a variant is refused
    void check(ExperimentConfig config) {
        if (this == LEARNING) {
            return;
        }
        find(config, "only 'bench', 'sweep' and 'verify-exactness' let it");
    }

    /// Refuses experiments whose drafters learn.
    ///
    /// @param why what stands against it, as the end of a sentence
    /// @throws OutriderException `CAPABILITY_MISSING`
    public static void refuse(ExperimentConfig config, String why) {
        find(config, why);
    }

    private static void find(ExperimentConfig config, String why) {
        for (VariantConfig variant : config.variants()) {
            if (Factories.traits(variant.drafter()).learns()) {
                throw new OutriderException(
                        ErrorCode.CAPABILITY_MISSING,
                        "variant '%s' has a drafter that learns while it drafts, but %s"
                                .formatted(variant.name(), why),
                        "Leave 'learn' out of the drafter.");
            }
        }
    }
}
