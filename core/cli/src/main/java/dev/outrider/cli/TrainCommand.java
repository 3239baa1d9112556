package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.corpus.CorpusGenerator;
import dev.outrider.corpus.Document;
import dev.outrider.corpus.Split;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.nn.train.DocumentSource;
import dev.outrider.nn.train.LanguageModelTrainer;
import dev.outrider.nn.train.Trainer;
import dev.outrider.nn.train.TrainingProgress;
import dev.outrider.nn.train.TrainingRun;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;

import jakarta.inject.Inject;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/// The command `outrider train`.
@Command(
        name = "train",
        description = "Trains models.",
        subcommands = TrainCommand.LanguageModel.class,
        footer = "  outrider train lm --config configs/train-target.yaml")
final class TrainCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Inject
    TrainCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing required subcommand: lm");
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
                "  outrider train lm --config configs/train-target.yaml --resume"
            })
    static final class LanguageModel implements Callable<Integer> {
        private static final int REPORT_EVERY = 100;

        private final Console console;
        private final Interruption interruption;
        private final ConfigLoader loader;

        @Option(
                names = "--config",
                required = true,
                paramLabel = "FILE",
                description = "What to train.")
        private Path config = Path.of("");

        @Mixin private SetOption set = new SetOption();

        @Option(names = "--resume", description = "Go on with the unfinished run in the folder.")
        private boolean resume;

        @Inject
        LanguageModel(Console console, Interruption interruption, ConfigLoader loader) {
            this.console = console;
            this.interruption = interruption;
            this.loader = loader;
        }

        @Override
        public Integer call() {
            var loaded = loader.load(config, LanguageModelConfig.class, set.values());
            var settings = loaded.config();
            requireFreshFolder(settings.out());
            try (var tokenizer = HfTokenizer.load(settings.tokenizer())) {
                var run = run(settings, tokenizer, loaded.effective().configHash());
                return train(run);
            }
        }

        private int train(TrainingRun run) {
            int steps = run.config().learningRate().steps();
            try (var bar = new Progress(console, "training", steps)) {
                var result =
                        new LanguageModelTrainer(System::nanoTime)
                                .train(run, step -> report(bar, step), interruption::requested);
                bar.close();
                if (result.isEmpty()) {
                    console.err().println("Interrupted; go on from here with --resume.");
                    return ExitCode.INTERRUPTED;
                }
                console.out().println(conclusion(run, result.get()));
                return ExitCode.OK;
            } catch (IOException e) {
                throw Failures.cannotWrite(run.folder(), e);
            }
        }

        private static String conclusion(TrainingRun run, Trainer.Result result) {
            return String.format(
                    Locale.ROOT,
                    "%s: %d steps, %d tokens, loss %.3f, validation loss %.3f, %.0f s",
                    run.folder(),
                    result.steps(),
                    result.tokens(),
                    result.loss(),
                    result.validationLoss(),
                    result.wallSeconds());
        }

        private void report(Progress bar, TrainingProgress.Step step) {
            var text =
                    String.format(
                            Locale.ROOT,
                            "step %d loss %.3f, %.0f tokens/s",
                            step.step(),
                            step.loss(),
                            step.tokensPerSecond());
            bar.at(step.step(), text);
            if (!console.terminal() && step.step() % REPORT_EVERY == 0) {
                console.err().println(text);
            }
        }

        private void requireFreshFolder(Path folder) {
            boolean unfinished = Files.exists(folder.resolve("checkpoint.safetensors"));
            if (unfinished && !resume) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "'%s' holds an unfinished run".formatted(folder),
                        "Add --resume to go on with it, or choose another folder with --set"
                            + " out=DIR.");
            }
            if (Files.exists(folder.resolve("model.safetensors"))) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "'%s' already holds a finished model".formatted(folder),
                        "Choose another folder with --set out=DIR, or remove the model.");
            }
        }

        private static TrainingRun run(
                LanguageModelConfig settings, HfTokenizer tokenizer, String hash) {
            var corpus = new CorpusGenerator(settings.corpusSeed());
            return new TrainingRun(
                    settings.shape(),
                    settings.training(),
                    new TokenizerEncoder(tokenizer, settings.endOfText()),
                    source(corpus, Split.TRAIN),
                    source(corpus, Split.VALIDATION),
                    settings.out(),
                    settings.storage(),
                    Optional.of(settings.tokenizer()),
                    Map.of(
                            "corpusSeed", Long.toString(settings.corpusSeed()),
                            "configHash", hash,
                            "outrider", BuildInfo.version()));
        }

        private static DocumentSource source(CorpusGenerator corpus, Split split) {
            return () -> corpus.documents(split).map(Document::text);
        }
    }
}
