package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import dev.outrider.common.FailureReason;
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
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

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
                throw FailureReason.reading(folder.config(), e);
            }
        }
    }

    /// A batch of texts with guesses that the target has judged, each a row. A node sees its ancestors and itself, at the position of its
    /// depth.
    ///
    /// @param texts at least one
    record VisitedRows(List<VerifiedText> texts) {
        VisitedRows {
            texts = List.copyOf(texts);
        }

        /// Nodes of a row, T; what a text does not fill is not learned.
        private int width() {
            return texts.stream().mapToInt(each -> each.text().size()).max().orElseThrow();
        }

        /// How many nodes are learned, n.
        long learned() {
            return texts.stream().mapToLong(each -> each.logits().size()).sum();
        }

        /// What `visits.torchscript` reads; the manager owns it.
        List<NDArray> inputs(NDManager manager) {
            return List.of(
                    tokens(manager),
                    positions(manager),
                    mask(manager),
                    learnedPlaces(manager),
                    labels(manager));
        }

        /// Shape `[B, T]`, 64-bit integers.
        private NDArray tokens(NDManager manager) {
            int width = width();
            var tokens = new long[texts.size() * width];
            forEach((text, node, at) -> tokens[at] = text.tree().token(node));
            return manager.create(tokens, new Shape(texts.size(), width));
        }

        /// Shape `[B*T]`, 64-bit integers.
        private NDArray positions(NDManager manager) {
            var positions = new long[texts.size() * width()];
            forEach((text, node, at) -> positions[at] = text.tree().depth(node));
            return manager.create(positions);
        }

        /// What every node sees, shape `[B, 1, T, T]`, 0 where it does and negative infinity elsewhere.
        private NDArray mask(NDManager manager) {
            int width = width();
            var mask = new float[texts.size() * width * width];
            Arrays.fill(mask, Float.NEGATIVE_INFINITY);
            IntStream.range(0, texts.size() * width)
                    .forEach(at -> mask[at * width + at % width] = 0);
            forEach((text, node, at) -> {
                for (int ancestor : text.tree().path(node)) {
                    mask[at * width + ancestor] = 0;
                }
            });
            return manager.create(mask, new Shape(texts.size(), 1, width, width));
        }

        /// The learned nodes' places among all of the batch, `[n]`, 64-bit integers.
        private NDArray learnedPlaces(NDManager manager) {
            var places = LongStream.builder();
            forEach((text, node, at) -> {
                if (text.visited().get(node)) {
                    places.add(at);
                }
            });
            return manager.create(places.build().toArray());
        }

        /// The target's logits there, `[n, V]`.
        private NDArray labels(NDManager manager) {
            var rows = texts.stream().flatMap(each -> each.logits().stream()).toList();
            int width = rows.getFirst().length;
            var all = FloatBuffer.allocate(Math.multiplyExact(rows.size(), width));
            rows.forEach(all::put);
            return manager.create(all.flip(), new Shape(rows.size(), width));
        }

        private interface NodeVisitor {
            void visit(VisitedText text, int node, int at);
        }

        private void forEach(NodeVisitor visitor) {
            int width = width();
            for (int row = 0; row < texts.size(); row++) {
                var text = texts.get(row).text();
                for (int node = 0; node < text.size(); node++) {
                    visitor.visit(text, node, row * width + node);
                }
            }
        }
    }
}
