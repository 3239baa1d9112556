package dev.outrider.drafter.mtp;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.LayerScript;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.RowSource;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The configuration of `train mtp`.
public record MtpTraining(
        @Inline FrozenTargetKeys keys,
        @Doc("The modules.") @Default("{}") MtpModules modules,
        @Doc(
                        "Weight of the target's own distributions as labels, 0 to 1; the text's tokens have the rest.")
                @Default("1")
                double softLabels,
        @Doc("How the modules' distributions are compared with the target's.")
                @Default("forward-kl")
                Divergence divergence)
        implements HeadTraining {
    public MtpTraining {
        Require.share("softLabels", softLabels);
    }

    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedModules(target, this);
    }

    /// `train mtp`.
    public static final class Trainer extends HeadTrainer<MtpTraining> {
        public Trainer() {
            super(
                    MtpHead.NAME,
                    MtpTraining.class,
                    "Trains multi-token prediction modules on a target that stays as it is.",
                    "One module can learn several steps, or several modules a step each. To train modules together with their target, use outrider train lm-mtp.",
                    "train mtp --config configs/training/mtp.yaml",
                    "train mtp --config configs/training/mtp.yaml --set softLabels=0");
        }
    }

    /// Multi-token prediction modules in training: they learn from the text, from the target's distributions, or from both.
    ///
    /// Validation measures, per step: `overlap`, the mean of `sum min(p, q)`, which is the acceptance at temperature 1 of a token
    /// drawn from the module after true tokens; and `agreement`, the share of places at which both have the same most probable
    /// token.
    static final class TrainedModules implements TrainedHead {
        private final FrozenTarget target;
        private final MtpTraining settings;
        private final MtpModules modules;

        /// @throws IllegalArgumentException if rows are too short for the last step to learn anything
        TrainedModules(FrozenTarget target, MtpTraining settings) {
            modules = settings.modules();
            modules.requireRoom(settings.keys().training().contextTokens());
            this.target = target;
            this.settings = settings;
        }

        @Override
        public Map<String, String> facts() {
            return Map.of(
                    "modules", modules.toString(),
                    "softLabels", Double.toString(settings.softLabels()),
                    "divergence", settings.divergence().toString());
        }

        @Override
        public List<Parameter> parameters() {
            return modules.parameters(target.config());
        }

        @Override
        public String program() {
            return TrainingScripts.linear(settings.keys().training().precision())
                    + LayerScript.methods(target.config())
                    + TrainingScripts.softLoss(settings.divergence())
                    + TrainingScripts.learned()
                    + TrainingScripts.measures()
                    + TrainingScripts.steps(modules.stepDecay())
                    + modules.methods()
                    + TorchScript.resource(TrainedModules.class, "mtp-loss")
                    + TorchScript.constants(Map.of("soft_labels", settings.softLabels()));
        }

        @Override
        public List<String> measures() {
            var names = new ArrayList<String>();
            for (int step = 1; step <= modules.steps(); step++) {
                names.add("overlap" + step);
                names.add("agreement" + step);
            }
            return names;
        }

        @Override
        public List<NDArray> constants(PtNDManager manager) {
            var config = target.config();
            return new HeadParameters(target, config, 0)
                    .constants(new Shape(config.maxPositions(), 1, config.headSize()), manager);
        }

        @Override
        public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
            HiddenState state =
                    modules.normed()
                            ? new HiddenState.AfterFinalNorm()
                            : new HiddenState.AfterLayer(target.config().layers());
            var outputs = target.forward(rows.inputs(), Set.of(state), true, manager);
            return List.of(
                    rows.array(manager),
                    outputs.hidden(state),
                    outputs.logits().orElseThrow(),
                    rows.mask(manager));
        }

        @Override
        public String configJson(int endOfText) {
            var target = this.target.config();
            var layers = HeadJson.layersLike(target).tiedHead(target.tiedHead()).build();
            return HeadJson.text(
                    modules.describe(
                            HeadJson.ofLayers(
                                    layers, endOfText, settings.keys().storage().type())));
        }
    }
}
