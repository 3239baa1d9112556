package dev.outrider.training;

import dev.outrider.common.FailureReason;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.target.ChatTemplates;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.PairEncoder.TokenizerPairEncoder;
import dev.outrider.training.TextEncoder.TokenizerEncoder;
import dev.outrider.training.data.DataConfig;
import dev.outrider.training.data.TrainingData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// The common steps of trainers that `outrider train` runs: read the tokenizer, train, report the end.
public final class Trainings {
    private Trainings() {}

    /// A run over texts that a tokenizer reads.
    @FunctionalInterface
    private interface Run {
        Optional<TrainingResult> train(HfTokenizer tokenizer) throws IOException;
    }

    /// Trains a decoder from scratch.
    ///
    /// @return as [TrainerFactory#train]
    /// @throws OutriderException as [Trainer#train]; `CONFIG_INVALID` if the folder is in use
    static Optional<String> languageModel(LanguageModelConfig settings, TrainingContext context) {
        return run(
                settings.out(),
                settings.tokenizer(),
                context,
                tokenizer -> {
                    var texts =
                            TrainingTexts.of(
                                    settings.data(), settings.corpusSeed(), false, context);
                    var plan =
                            new TrainingPlan(
                                    settings.shape(),
                                    settings.training(),
                                    encoder(
                                            settings.data(),
                                            DataPlan.folder(settings.tokenizer()),
                                            new TokenizerEncoder(tokenizer, settings.endOfText())),
                                    texts.training(),
                                    texts.validation(),
                                    settings.out(),
                                    settings.storage(),
                                    Optional.of(settings.tokenizer()),
                                    texts.provenance(),
                                    settings.start());
                    try (var learner = plan.learner()) {
                        return train(plan.job(), learner, context);
                    }
                });
    }

    /// Trains an encoder-decoder from scratch.
    ///
    /// @return as [TrainerFactory#train]
    /// @throws OutriderException as [Trainer#train]; `CONFIG_INVALID` if the folder is in use, or if it cannot be taught by the teacher
    static Optional<String> encoderDecoder(
            EncoderDecoderTraining settings, TrainingContext context) {
        return run(
                settings.out(),
                settings.tokenizer(),
                context,
                tokenizer -> {
                    var pairs =
                            TrainingTexts.of(settings.data(), settings.corpusSeed(), true, context);
                    var plan =
                            planned(() ->
                                    new EncoderDecoderPlan(
                                            settings.shape(),
                                            settings.sourceTokens(),
                                            settings.training(),
                                            new TokenizerPairEncoder(
                                                    tokenizer,
                                                    settings.endOfText(),
                                                    settings.pad()),
                                            pairs.training(),
                                            pairs.validation(),
                                            settings.out(),
                                            settings.storage(),
                                            Optional.of(settings.tokenizer()),
                                            pairs.provenance()));
                    try (var learner = planned(() -> EncoderDecoderLearner.of(plan))) {
                        return train(plan.job(), learner, context);
                    }
                });
    }

    /// Trains on a target that does not change.
    ///
    /// @param learner makes the learner from the rows that it will learn; an `IllegalArgumentException` means that the settings
    ///                do not fit the target
    /// @return as [TrainerFactory#train]
    /// @throws OutriderException as [Trainer#train]; `CONFIG_INVALID` if the folder is in use or the settings do not fit the
    ///                           target
    public static Optional<String> onFrozenTarget(
            FrozenTargetKeys keys, Function<RowSource, Learner> learner, TrainingContext context) {
        var target = new Checkpoint(keys.target());
        return run(
                keys.out(),
                target.tokenizer(),
                context,
                tokenizer -> {
                    int tokens = ModelConfig.read(target).decoder().vocabularySize();
                    var texts = TrainingTexts.of(keys.data(), keys.corpusSeed(), false, context);
                    var job =
                            new TrainingJob(
                                    keys.training(),
                                    encoder(
                                            keys.data(),
                                            keys.target(),
                                            new TokenizerEncoder(
                                                    tokenizer.limitedTo(tokens), keys.endOfText())),
                                    texts.training(),
                                    texts.validation(),
                                    keys.out(),
                                    texts.provenance());
                    try (var fitting = fitting(learner, job.training())) {
                        return train(job, fitting, context);
                    }
                });
    }

    private static Optional<String> run(
            Path out, Path tokenizerFile, TrainingContext context, Run run) {
        RunFolder.requireFresh(out, context.resume());
        try (var tokenizer = HfTokenizer.load(tokenizerFile)) {
            return run.train(tokenizer).map(result -> conclusion(out, result));
        } catch (IOException e) {
            throw FailureReason.writing("the trained model", out, e);
        }
    }

    private static Optional<TrainingResult> train(
            TrainingJob job, Learner learner, TrainingContext context) throws IOException {
        var progress = context.progress(job.config().learningRate().steps());
        return new Trainer(context.ticker()::getAsLong)
                .train(job, learner, progress, context.stop());
    }

    /// Makes a plan. If it cannot be made of the configuration's sizes, the error is one of the configuration.
    private static <T> T planned(Supplier<T> plan) {
        try {
            return plan.get();
        } catch (IllegalArgumentException | ArithmeticException | NegativeArraySizeException e) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "no model can be trained with these sizes: %s".formatted(e.getMessage()),
                    "Change the sizes under 'shape', 'sourceTokens' or 'training'.",
                    e);
        }
    }

    /// A plan may need parts that only this target lacks, such as layers; that is a mistake of the configuration.
    private static Learner fitting(Function<RowSource, Learner> learner, RowSource rows) {
        try {
            return learner.apply(rows);
        } catch (IllegalArgumentException e) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "the training does not fit the target: %s".formatted(e.getMessage()),
                    "Change the configuration, or train for another target.");
        }
    }

    private static String conclusion(Path folder, TrainingResult result) {
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

    /// The files of a configuration, or the generated corpus.
    ///
    /// @param training   documents to learn
    /// @param validation documents of the validation
    /// @param provenance entries of `training.json` about the documents and the command
    private record TrainingTexts(
            DocumentSource training, DocumentSource validation, Map<String, String> provenance) {
        /// @param pairs whether the generated corpus is its questions with their answers
        static TrainingTexts of(
                Optional<DataConfig> config,
                long corpusSeed,
                boolean pairs,
                TrainingContext context) {
            var facts = new HashMap<>(context.provenance());
            if (config.isPresent()) {
                var data = TrainingData.open(config.get());
                facts.put("data", data.facts());
                DocumentSource training = data::training;
                return new TrainingTexts(training.withFacts(data.facts()), data::validation, facts);
            }
            facts.put("corpusSeed", Long.toString(corpusSeed));
            return pairs
                    ? new TrainingTexts(
                            context.trainingPairs(corpusSeed),
                            context.validationPairs(corpusSeed),
                            facts)
                    : new TrainingTexts(
                            context.training(corpusSeed), context.validation(corpusSeed), facts);
        }
    }

    /// Returns the encoder of documents.
    ///
    /// @param model the model whose chat template writes conversations, unless the data name another
    private static DocumentEncoder encoder(
            Optional<DataConfig> data, Path model, TextEncoder encoder) {
        return new DocumentEncoder(
                encoder, data.flatMap(config -> ChatTemplates.of(config.template().orElse(model))));
    }
}
