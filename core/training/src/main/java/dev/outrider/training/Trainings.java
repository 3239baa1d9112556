package dev.outrider.training;

import dev.outrider.common.FailureReason;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/// What trainers do when `outrider train` runs them: read the tokenizer, train, say how it ended.
public final class Trainings {
    private Trainings() {}

    /// Trains a decoder from scratch.
    ///
    /// @param companion what is trained together with it
    /// @return as [TrainerFactory#train]
    /// @throws OutriderException as [LanguageModelTrainer#train]; `CONFIG_INVALID` if the folder is in use
    public static Optional<String> languageModel(
            LanguageModelSettings settings,
            Optional<? extends Companion> companion,
            TrainingContext context) {
        RunFolder.requireFresh(settings.out(), context.resume());
        try (var tokenizer = HfTokenizer.load(settings.tokenizer())) {
            var texts =
                    TrainingTexts.of(
                            settings.data(),
                            settings.corpusSeed(),
                            DataPlan.folder(settings.tokenizer()),
                            new TokenizerEncoder(tokenizer, settings.endOfText()),
                            context);
            var run =
                    new TrainingPlan(
                            settings.shape(),
                            companion.map(each -> each),
                            settings.training(),
                            texts.encoder(),
                            texts.training(),
                            texts.validation(),
                            settings.out(),
                            settings.storage(),
                            Optional.of(settings.tokenizer()),
                            texts.provenance(),
                            settings.start());
            var progress = context.progress(settings.training().learningRate().steps());
            return new LanguageModelTrainer(
                            context.ticker()::getAsLong, context::measure, context::onPolicy)
                    .train(run, progress, context.stop())
                    .map(result -> conclusion(settings.out(), result));
        } catch (IOException e) {
            throw cannotWrite(settings.out(), e);
        }
    }

    /// Trains an encoder-decoder from scratch.
    ///
    /// @return as [TrainerFactory#train]
    /// @throws OutriderException as [Trainer#train]; `CONFIG_INVALID` if the folder is in use, or the teacher is none for that
    static Optional<String> encoderDecoder(
            EncoderDecoderTraining settings, TrainingContext context) {
        RunFolder.requireFresh(settings.out(), context.resume());
        var pairs = TrainingPairs.of(settings.data(), settings.corpusSeed(), context);
        try (var tokenizer = HfTokenizer.load(settings.tokenizer())) {
            var run =
                    planned(() ->
                            new EncoderDecoderPlan(
                                    settings.shape(),
                                    settings.sourceTokens(),
                                    settings.training(),
                                    new TokenizerPairEncoder(
                                            tokenizer, settings.endOfText(), settings.pad()),
                                    pairs.training(),
                                    pairs.validation(),
                                    settings.out(),
                                    settings.storage(),
                                    Optional.of(settings.tokenizer()),
                                    pairs.provenance()));
            var progress = context.progress(settings.training().learningRate().steps());
            try (var learner = planned(() -> EncoderDecoderLearner.of(run))) {
                return new Trainer(context.ticker()::getAsLong, context::measure, context::onPolicy)
                        .train(run.job(), learner, progress, context.stop())
                        .map(result -> conclusion(settings.out(), result));
            }
        } catch (IOException e) {
            throw cannotWrite(settings.out(), e);
        }
    }

    /// What cannot be made of the configuration's sizes is the configuration's mistake.
    private static <T> T planned(Supplier<T> plan) {
        try {
            return plan.get();
        } catch (IllegalArgumentException | ArithmeticException | NegativeArraySizeException e) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "no model can be trained with these sizes: %s".formatted(e.getMessage()),
                    "Change the sizes under 'shape', 'sourceTokens' or 'training'.",
                    e);
        }
    }

    /// Trains on a target that stays as it is.
    ///
    /// @return as [TrainerFactory#train]
    /// @throws OutriderException as [Trainer#train] and [FrozenTargetSettings#learner]; `CONFIG_INVALID` if the folder is in use
    ///                           or the settings do not fit the target
    public static Optional<String> onFrozenTarget(
            FrozenTargetSettings settings, TrainingContext context) {
        var keys = settings.keys();
        RunFolder.requireFresh(keys.out(), context.resume());
        var config = keys.training();
        try (var tokenizer = HfTokenizer.load(new Checkpoint(keys.target()).tokenizer())) {
            var texts =
                    TrainingTexts.of(
                            keys.data(),
                            keys.corpusSeed(),
                            keys.target(),
                            new TokenizerEncoder(tokenizer, keys.endOfText()),
                            context);
            var job =
                    new TrainingJob(
                            config,
                            texts.encoder(),
                            texts.training(),
                            texts.validation(),
                            keys.out(),
                            texts.provenance());
            try (var learner = fitting(settings, job.training())) {
                var progress = context.progress(config.learningRate().steps());
                return new Trainer(context.ticker()::getAsLong, context::measure, context::onPolicy)
                        .train(job, learner, progress, context.stop())
                        .map(result -> conclusion(keys.out(), result));
            }
        } catch (IOException e) {
            throw cannotWrite(keys.out(), e);
        }
    }

    /// A plan may ask for what only this target lacks, such as layers; that is the configuration's mistake.
    private static Learner fitting(FrozenTargetSettings settings, RowSource rows) {
        try {
            return settings.learner(rows);
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "the training does not fit the target: %s".formatted(e.getMessage()),
                    "Change the configuration, or train for another target.");
        }
    }

    private static String conclusion(Path folder, Trainer.Result result) {
        var text =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "%s: %d steps, %d tokens, loss %.3f, validation loss %.3f, %.0f s",
                                folder,
                                result.steps(),
                                result.tokens(),
                                result.loss(),
                                result.validationLoss(),
                                result.wallSeconds()));
        result.measures()
                .forEach((name, value) ->
                        text.append(String.format(Locale.ROOT, ", %s %.3f", name, value)));
        return text.toString();
    }

    private static OutriderException cannotWrite(Path folder, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "cannot write '%s': %s".formatted(folder, FailureReason.of(cause)),
                "Choose a folder that can be written to, or free some space.",
                cause);
    }
}
