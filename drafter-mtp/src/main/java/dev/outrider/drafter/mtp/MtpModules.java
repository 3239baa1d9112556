package dev.outrider.drafter.mtp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// The multi-token prediction modules a run trains.
///
/// Module k pairs the state that module k - 1 gives for a position (the target's own for the first) with the embedding of
/// the token k positions on, and predicts the token after that. One module can learn several steps instead and
/// reads its own output; it is then run in the same way.
///
/// @param modules   D; more than one have parameters of their own, a step each
/// @param steps     tokens predicted beyond the next; D unless D is 1
/// @param stepDecay weight of a step in the loss over that of the step before
/// @param normed    whether states are read and passed on after the final norm, the target's or the module's own
/// @see "DeepSeek-AI 2024 (DeepSeek-V3), section 2.2; Cai et al. 2025 (FastMTP), section 3"
public record MtpModules(
        @Doc("Modules with parameters of their own, at least 1.") @Default("1") int modules,
        @Doc("Steps learned, at least 1; with several modules as many as there are of them.")
                @Default("1")
                int steps,
        @Doc("Weight of a step's loss over that of the step before, in (0, 1].") @Default("1")
                double stepDecay,
        @Doc("Whether modules read and pass on states after the final norm.") @Default("true")
                boolean normed) {
    public MtpModules {
        if (modules < 1 || steps < 1) {
            throw new IllegalArgumentException(
                    "modules (%d) and steps (%d) must be at least 1".formatted(modules, steps));
        }
        if (modules > 1 && steps != modules) {
            throw new IllegalArgumentException(
                    "%d modules learn %d steps, not %d".formatted(modules, modules, steps));
        }
        if (!(stepDecay > 0 && stepDecay <= 1)) {
            throw new IllegalArgumentException(
                    "stepDecay %s is not in (0, 1]".formatted(stepDecay));
        }
    }

    /// Returns D modules, a step each, all steps alike.
    public static MtpModules independent(int modules) {
        return new MtpModules(modules, modules, 1, true);
    }

    /// @throws IllegalArgumentException if rows are too short for the last step to learn anything
    void requireRoom(int contextTokens) {
        if (contextTokens <= steps) {
            throw new IllegalArgumentException(
                    "contextTokens (%d) must exceed the %d steps of the modules"
                            .formatted(contextTokens, steps));
        }
    }

    /// Returns the weight of a step in the loss; the weights of all steps add up to 1.
    ///
    /// @param step counted from 0
    double weight(int step) {
        double sum = 0;
        for (int other = 0; other < steps; other++) {
            sum += Math.pow(stepDecay, other);
        }
        return Math.pow(stepDecay, step) / sum;
    }

    /// Returns the module of a step, both counted from 0.
    int module(int step) {
        return modules == 1 ? 0 : step;
    }

    /// Adds the modules to the configuration of a decoder, and returns it.
    ObjectNode describe(ObjectNode config) {
        config.put("num_nextn_predict_layers", modules);
        var state = normed ? "post" : "pre";
        config.put("mtp_feed_norm", state);
        config.put("mtp_recycle", state);
        return config;
    }
}
