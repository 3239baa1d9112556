package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.training.LanguageModelTrainer;
import dev.outrider.training.TrainingRun;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider train`.
@Command(
        name = "train",
        description = "Trains models.",
        subcommands = {
            TrainCommand.LanguageModel.class,
            TrainMedusaCommand.class,
            TrainNgramCommand.class,
            TrainMtpCommand.class,
            TrainEagleCommand.class
        },
        footer = {
            "  outrider train lm --config configs/train-target.yaml",
            "  outrider train medusa --config configs/train-medusa.yaml",
            "  outrider train mtp --config configs/train-mtp.yaml",
            "  outrider train eagle --config configs/train-eagle1.yaml"
        })
final class TrainCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Inject
    TrainCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing required subcommand: "
                        + String.join(" or ", spec.commandLine().getSubcommands().keySet()));
    }

    /// The command `outrider train lm`.
    @Command(
            name = "lm",
            description = {
                "Trains a decoder from scratch on the made-up corpus.",
                "",
                "Writes a Hugging Face folder with the loss curve beside the model. A run that was"
                        + " killed goes on from its last checkpoint with --resume, and ends with the"
                        + " same model as one that was not."
            },
            footer = {
                "  outrider train lm --config configs/train-target.yaml",
                "  outrider train lm --config configs/train-target.yaml --resume",
                "  outrider train lm --config configs/train-target.yaml --mtp-heads 2"
            })
    static final class LanguageModel implements Callable<Integer> {
        private final TrainingDisplay display;
        private final ConfigLoader loader;

        @Mixin private TrainOptions options = new TrainOptions();

        @Option(
                names = "--mtp-heads",
                paramLabel = "K",
                description =
                        "Train K multi-token prediction modules with the decoder; the same as --set"
                                + " mtp.heads=K.")
        private Optional<Integer> heads = Optional.empty();

        @Inject
        LanguageModel(TrainingDisplay display, ConfigLoader loader) {
            this.display = display;
            this.loader = loader;
        }

        @Override
        public Integer call() {
            var loaded = loader.load(options.config(), LanguageModelConfig.class, changes());
            var settings = loaded.config();
            options.requireFresh(settings.out());
            try (var tokenizer = HfTokenizer.load(settings.tokenizer())) {
                var run = run(settings, tokenizer, loaded.effective().configHash());
                return display.run(
                        run.folder(),
                        run.config().learningRate().steps(),
                        (progress, stop) ->
                                new LanguageModelTrainer(System::nanoTime)
                                        .train(run, progress, stop));
            }
        }

        private List<String> changes() {
            var changes = new ArrayList<>(options.changes());
            heads.ifPresent(count -> changes.add("mtp.heads=" + count));
            return changes;
        }

        private static TrainingRun run(
                LanguageModelConfig settings, HfTokenizer tokenizer, String hash) {
            var corpus = new TrainingCorpus(settings.corpusSeed());
            return new TrainingRun(
                    settings.shape(),
                    settings.mtp(),
                    settings.training(),
                    new TokenizerEncoder(tokenizer, settings.endOfText()),
                    corpus.training(),
                    corpus.validation(),
                    settings.out(),
                    settings.storage(),
                    Optional.of(settings.tokenizer()),
                    corpus.provenance(hash));
        }
    }
}
