package dev.outrider.drafter.mtp;

import dev.outrider.common.NamedService;
import dev.outrider.common.Require;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.Companion;
import dev.outrider.training.LanguageModelConfig;
import dev.outrider.training.Parameter;
import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The configuration of `outrider train lm-mtp`: that of `train lm`, and the modules.
public record JointTraining(
        @Inline LanguageModelConfig decoder,
        @Doc("Multi-token prediction modules that are trained with it.") @Default("{}")
                JointModules mtp)
        implements LanguageModelConfig.Holder {
    /// `train lm-mtp`.
    public static final class Trainer extends NamedService<JointTraining>
            implements TrainerFactory<JointTraining> {
        /// Used by [java.util.ServiceLoader].
        public Trainer() {
            super(
                    "lm-mtp",
                    JointTraining.class,
                    "Trains a decoder from scratch together with multi-token prediction modules.",
                    "Takes every configuration that outrider train lm takes.",
                    "train lm-mtp --config configs/training/target.yaml --set mtp.heads=2");
        }

        @Override
        public Optional<String> train(JointTraining config, TrainingContext context) {
            return Trainings.languageModel(config.decoder(), Optional.of(config.mtp()), context);
        }
    }

    /// Multi-token prediction modules that are trained together with their decoder, with one step each.
    ///
    /// @param heads      modules D
    /// @param lossWeight lambda: weight of the mean of their losses, in addition to the decoder's own loss
    /// @see "DeepSeek-AI 2024 (DeepSeek-V3), section 2.2 and 4.2"
    public record JointModules(
            @Doc("Multi-token prediction modules, at least 1.") @Default("1") int heads,
            @Doc("Weight of the mean of the modules' losses beside the decoder's own, positive.")
                    @Default("0.3")
                    double lossWeight)
            implements Companion {
        public JointModules {
            Require.atLeast("heads", heads, 1);
            Require.positive("lossWeight", lossWeight);
        }

        @Override
        public String kind() {
            return "modules";
        }

        @Override
        public List<String> losses() {
            return IntStream.rangeClosed(1, heads).mapToObj(module -> "mtpLoss" + module).toList();
        }

        @Override
        public boolean normed() {
            return modules().normed();
        }

        @Override
        public void requireRoom(int contextTokens) {
            modules().requireRoom(contextTokens);
        }

        @Override
        public List<Parameter> parameters(DecoderConfig decoder) {
            return modules().parameters(decoder);
        }

        @Override
        public String methods(DecoderConfig decoder, int first) {
            return modules().methods(first)
                    + TorchScript.resource(JointModules.class, "mtp-companion");
        }

        @Override
        public String configJson(String decoder) {
            return HeadJson.text(modules().describe(HeadJson.parsed(decoder)));
        }

        private MtpModules modules() {
            return MtpModules.independent(heads);
        }
    }
}
