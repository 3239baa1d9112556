package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.torch.TorchDecoder;
import dev.outrider.training.DecoderShape.DecoderParameters;
import dev.outrider.training.Learner.FinishedModel;
import dev.outrider.training.TrainingProfile.Laps;
import dev.outrider.training.VisitedText.VerifiedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Lets a finished decoder go on learning from rounds that a target has judged, a step at a time. Nothing is drawn: the same texts in the
/// same order lead to the same parameters. Confined to one thread; the caller closes it.
///
/// @see "Liu et al. 2024 (Online Speculative Decoding), section 4; Zhou et al. 2024 (DistillSpec), section 4"
public final class RoundTraining implements AutoCloseable {
    /// Texts whose gradients are computed at once.
    private static final int TEXTS_AT_ONCE = 4;

    private final Student student;
    private final Settings settings;
    private TrainingStep<VisitedRows> parameters;
    private long steps;

    /// How it learns. Norms and matrices are not decayed: a decoder that is finished is to stay near what it was.
    ///
    /// @param rate       AdamW's, the same at every step
    /// @param divergence how far it is from the target
    public record Settings(double rate, Divergence divergence) {
        public Settings {
            Require.that(
                    rate > 0 && rate <= 1, "rate is %s; expected more than 0 and at most 1", rate);
        }

        private static TrainingConfig.Optimizer optimizer() {
            return new TrainingConfig.Optimizer(0.9, 0.95, 0, 1);
        }
    }

    /// @param folder a dense decoder in the Hugging Face layout
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if it is another model; what reading it throws
    public RoundTraining(Path folder, Settings settings) {
        student = Student.of(new Checkpoint(folder));
        this.settings = settings;
        parameters = fresh();
    }

    /// Number of its logits: the target's must be as many.
    public int vocabularySize() {
        return student.shape().vocabularySize();
    }

    /// Longest text.
    public int maxPositions() {
        return student.shape().maxPositions();
    }

    /// One step on texts, every visited node of which counts the same.
    ///
    /// @param texts at least one node of them is visited
    /// @return the mean divergence before the step, nats; of forward KL the cross-entropy
    /// @throws OutriderException `TRAINING_DIVERGED` if loss or gradient is not finite; parameters are as they were
    public double step(List<VerifiedText> texts) {
        var batches = new ArrayList<VisitedRows>();
        for (int from = 0; from < texts.size(); from += TEXTS_AT_ONCE) {
            batches.add(
                    new VisitedRows(
                            texts.subList(from, Math.min(texts.size(), from + TEXTS_AT_ONCE))));
        }
        steps++;
        var done = parameters.step(batches, steps, settings.rate());
        if (!done.isFinite()) {
            throw new OutriderException(
                    ErrorCode.TRAINING_DIVERGED,
                    "step %d from rounds: loss %s, gradient norm %s"
                            .formatted(steps, done.loss(), done.gradientNorm()),
                    "Lower 'learn.rate'.");
        }
        return done.loss();
    }

    /// Back to the numbers of the folder, without a memory of earlier steps.
    public void restart() {
        parameters.close();
        parameters = fresh();
        steps = 0;
    }

    /// Writes the decoder as it is now: the folder's files with other numbers, in the type that it has them in.
    ///
    /// @param to a folder that is there
    /// @throws IOException if a file cannot be read or written
    public void write(Path to) throws IOException {
        RunFolder.write(student.finished(parameters.weights()), to);
    }

    private TrainingStep<VisitedRows> fresh() {
        var task = student.task(settings.divergence());
        var state = AdamW.State.initial(task.parameters(), 0);
        return new TrainingStep<>(task, Settings.optimizer(), state, new Laps(() -> 0));
    }

    @Override
    public void close() {
        parameters.close();
    }

    /// A finished decoder that goes on learning. Its files stay as they are.
    private record Student(
            Checkpoint folder,
            DecoderShape shape,
            TrainingPlan.Storage storage,
            ParameterSet parameters) {
        /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if it is no decoder that could have been trained here; what reading it throws
        static Student of(Checkpoint folder) {
            var config = ModelConfig.read(folder);
            var shape =
                    Optional.of(config)
                            .filter(_ -> folder.gguf().isEmpty())
                            .filter(each ->
                                    each.encoder().isEmpty() && each.quantisation().isEmpty())
                            .flatMap(each -> DecoderShape.of(each.decoder()))
                            .orElseThrow(() -> unsupported(folder));
            return new Student(
                    folder,
                    shape,
                    config.storage().filter(type -> type == TensorType.BF16).isPresent()
                            ? TrainingPlan.Storage.BFLOAT16
                            : TrainingPlan.Storage.FLOAT32,
                    new StartCheckpoint(folder.path()).values(DecoderParameters.of(shape)));
        }

        private static OutriderException unsupported(Checkpoint folder) {
            return new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "%s cannot go on learning: it is no dense decoder in Llama's layout with floating-point weights"
                            .formatted(folder.path()),
                    "Leave 'learn' out, or use a draft such as 'outrider train lm' writes.");
        }

        TrainingStep.Task<VisitedRows> task(Divergence divergence) {
            return new TrainingStep.Task<>(
                    parameters,
                    TrainingScripts.rounds(shape, TrainingConfig.Precision.FLOAT32, divergence),
                    manager -> TorchDecoder.angles(shape.decoder(), shape.maxPositions(), manager),
                    VisitedRows::inputs,
                    VisitedRows::learned);
        }

        /// As its folder has it, with other numbers.
        FinishedModel finished(List<float[]> values) {
            try {
                return new FinishedModel(
                        Files.readString(folder.config()),
                        parameters.stored(values, storage),
                        Optional.of(folder.tokenizer()));
            } catch (IOException e) {
                throw new OutriderException(
                        ErrorCode.IO_FAILED,
                        "cannot read '%s'".formatted(folder.config()),
                        "Leave the draft's folder as it is while it learns.",
                        e);
            }
        }
    }
}
