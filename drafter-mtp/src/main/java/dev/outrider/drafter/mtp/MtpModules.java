package dev.outrider.drafter.mtp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.Parameter;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.head.HeadParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The multi-token prediction modules of a training run.
///
/// Module k pairs the state that module k - 1 computes for a position (the target's own state for the first module) with the
/// embedding of the token k positions later, and predicts the token after that. A single module can learn several steps instead, in
/// which it reads its own output; it is then drafted with in the same way.
///
/// @param modules   D; several modules have separate parameters and one step each
/// @param steps     tokens predicted beyond the next; D unless D is 1
/// @param stepDecay weight of a step in the loss relative to the step before
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
        Require.atLeast("modules", modules, 1);
        Require.atLeast("steps", steps, 1);
        Require.that(
                modules <= 1 || steps == modules,
                "%d modules learn %d steps, not %d",
                modules,
                modules,
                steps);
        Require.that(stepDecay > 0 && stepDecay <= 1, "stepDecay %s is not in (0, 1]", stepDecay);
    }

    /// @throws IllegalArgumentException if rows are too short for the last step to learn anything
    void requireRoom(int contextTokens) {
        Require.that(
                contextTokens > steps,
                "contextTokens (%d) must exceed the %d steps of the modules",
                contextTokens,
                steps);
    }

    /// Adds the modules to the configuration of a decoder, and returns it.
    ObjectNode describe(ObjectNode config) {
        config.put("num_nextn_predict_layers", modules);
        var state = normed ? "post" : "pre";
        config.put("mtp_feed_norm", state);
        config.put("mtp_recycle", state);
        return config;
    }

    /// Returns the parameters with DeepSeek-V3's names: modules are numbered after the target's layers.
    ///
    /// @param decoder the target's sizes; the modules' layers have the same
    List<Parameter> parameters(DecoderConfig decoder) {
        int hidden = decoder.hiddenSize();
        var list = new ArrayList<Parameter>();
        for (int module = 0; module < modules; module++) {
            var prefix = "model.layers." + (decoder.layers() + module) + ".";
            list.add(HeadParameters.norm(prefix + "enorm.weight", hidden));
            list.add(HeadParameters.norm(prefix + "hnorm.weight", hidden));
            list.add(
                    HeadParameters.matrix(
                            2 * hidden, HeadParameters.part(prefix + "eh_proj", hidden)));
            list.addAll(HeadParameters.ordinary(decoder, prefix));
            list.add(HeadParameters.norm(prefix + "shared_head.norm.weight", hidden));
        }
        return list;
    }

    /// Returns the methods of `mtp.torchscript`. They need those of `layer.torchscript` and [TrainingScripts#learned].
    String methods() {
        return TrainingScripts.columns()
                + TorchScript.resource(MtpModules.class, "mtp")
                + TorchScript.constants(
                        Map.of(
                                "mtp_modules", modules,
                                "mtp_steps", steps,
                                "mtp_normed", normed));
    }
}
