package dev.outrider.drafter.mtp;

import dev.outrider.common.NamedService;
import dev.outrider.common.Require;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.Companion;
import dev.outrider.training.DecoderShape;
import dev.outrider.training.LanguageModelSettings;
import dev.outrider.training.Parameter;
import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.Trainings;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// What `outrider train lm-mtp` reads: what `train lm` reads, and the modules.
public record JointTraining(
        @Doc("Folder for the model; an unfinished run there can be resumed.") Path out,
        @Doc("The tokenizer.json to train with; copied beside the model.") Path tokenizer,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
        @Doc("Names the made-up corpus to learn from, where there is no 'data'.") @Default("1")
                long corpusSeed,
        @Doc("Files to learn from.") Optional<DataConfig> data,
        @Doc("Numbers in the finished model.") @Default("float32") TrainingPlan.Storage storage,
        @Doc("Sizes of the decoder.") DecoderShape shape,
        @Doc("Multi-token prediction modules that are trained with it.") @Default("{}")
                JointModules mtp,
        @Doc("How it is trained.") TrainingConfig training)
        implements LanguageModelSettings {
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
            return Trainings.languageModel(config, Optional.of(config.mtp()), context);
        }
    }

    /// Multi-token prediction modules that are trained together with their decoder, a step each.
    ///
    /// @param heads      modules D
    /// @param lossWeight lambda: weight of the mean of their losses beside the decoder's own
    /// @see "DeepSeek-AI 2024 (DeepSeek-V3), section 2.2 and 4.2"
    public record JointModules(
            @Doc("Multi-token prediction modules, at least 1.") @Default("1") int heads,
            @Doc("Weight of the mean of the modules' losses beside the decoder's own, positive.")
                    @Default("0.3")
                    double lossWeight)
            implements Companion {
        public JointModules {
            Require.atLeast("heads", heads, 1);
            Require.that(
                    lossWeight > 0 && lossWeight < Double.POSITIVE_INFINITY,
                    "lossWeight %s is not positive",
                    lossWeight);
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
