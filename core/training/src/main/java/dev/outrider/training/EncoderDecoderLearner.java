package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.EncoderDecoderLearner.EncoderDecoderInputs;
import dev.outrider.training.EncoderDecoderShape.EncoderDecoderParameters;
import dev.outrider.training.Learner.FinishedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// An encoder-decoder that learns from answers, and from a teacher if there is one.
record EncoderDecoderLearner(
        EncoderDecoderPlan run,
        ParameterSet parameters,
        EncoderDecoderInputs inputs,
        Optional<EncoderDecoderTeacher> teacher)
        implements Learner {
    /// @throws OutriderException as [EncoderDecoderTeacher#load]
    static EncoderDecoderLearner of(EncoderDecoderPlan run) {
        var teacher =
                run.config()
                        .teaching()
                        .map(teaching -> EncoderDecoderTeacher.load(teaching.teacher(), run));
        var inputs = new EncoderDecoderInputs(run.sourceTokens(), run.encoder().pad());
        return new EncoderDecoderLearner(
                run, EncoderDecoderParameters.of(run.shape()), inputs, teacher);
    }

    /// Returns the number of positions of the program's tables of distances.
    static int positions(EncoderDecoderPlan run) {
        return Math.max(run.sourceTokens(), run.config().contextTokens());
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("shape", run.shape().toString());
        facts.put("sourceTokens", Integer.toString(run.sourceTokens()));
        return facts;
    }

    @Override
    public String program() {
        return TrainingScripts.encoderDecoder(
                run.shape(), run.config().precision(), run.config().teaching());
    }

    @Override
    public List<String> measures() {
        return List.of("tokenAccuracy");
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        return EncoderDecoderInputs.constants(run.shape(), positions(run), manager);
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var made = inputs.of(rows, manager);
        teacher.ifPresent(network -> made.add(network.logits(made, manager)));
        return made;
    }

    @Override
    public long predicted(TokenRows rows) {
        return inputs.predicted(rows);
    }

    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        var config = run.shape().model(run.encoder().pad(), endOfText, run.storage());
        return new FinishedModel(
                ModelConfigWriter.toJson(config),
                parameters.stored(values, run.storage()),
                run.tokenizer());
    }

    @Override
    public void close() {
        teacher.ifPresent(EncoderDecoderTeacher::close);
    }

    /// Makes the inputs of `encoder-decoder.torchscript` from a batch of pairs, as [PairPacker] lays them out.
    ///
    /// @param sourceTokens columns of a row for the source
    /// @param pad          fills rows up, and is the decoder's start token
    record EncoderDecoderInputs(int sourceTokens, int pad) {
        /// Added to the score of tokens that are masked.
        private static final float UNSEEN = -1e9f;

        /// Returns the inputs of the program: sources, `[B, S]`; the mask that is added to their scores, `[B, 1, 1, S]`; the start
        /// and the answers without their last tokens, `[B, T]`; the indexes of those of the B*T that are not padding, `[n]`; and
        /// the tokens to predict there, `[n]`. S and T are the longest of the batch.
        List<NDArray> of(TokenRows rows, PtNDManager manager) {
            var sources = trimmed(rows.columns(0, sourceTokens));
            var answers = trimmed(rows.columns(sourceTokens, rows.width()));
            var mask = new float[sources.tokens().length];
            for (int i = 0; i < mask.length; i++) {
                mask[i] = sources.tokens()[i] == pad ? UNSEEN : 0;
            }
            long[] live =
                    IntStream.range(0, answers.tokens().length)
                            .filter(i -> answers.tokens()[i] != pad)
                            .asLongStream()
                            .toArray();
            var labels = new long[live.length];
            for (int i = 0; i < live.length; i++) {
                labels[i] = answers.tokens()[(int) live[i]];
            }
            return new ArrayList<>(
                    List.of(
                            sources.array(manager),
                            manager.create(mask, new Shape(rows.rows(), 1, 1, sources.width())),
                            started(answers).array(manager),
                            manager.create(live),
                            manager.create(labels)));
        }

        /// Returns the number of tokens that a batch predicts.
        long predicted(TokenRows rows) {
            var answers = rows.columns(sourceTokens, rows.width());
            return rows.rows() * (long) answers.width() - padding(answers);
        }

        /// Returns the constants of the program: the buckets of the encoder's distances and of the decoder's, `[P, P]`, and the
        /// mask that is added to scores of later tokens, `[P, P]`.
        static List<NDArray> constants(
                EncoderDecoderShape shape, int positions, PtNDManager manager) {
            var square = new Shape(positions, positions);
            var ahead = new float[positions * positions];
            for (int row = 0; row < positions; row++) {
                for (int column = row + 1; column < positions; column++) {
                    ahead[row * positions + column] = UNSEEN;
                }
            }
            return List.of(
                    manager.create(buckets(shape, positions, true), square),
                    manager.create(buckets(shape, positions, false), square),
                    manager.create(ahead, square));
        }

        private static long[] buckets(EncoderDecoderShape shape, int positions, boolean bothSides) {
            var buckets = new long[positions * positions];
            for (int row = 0; row < positions; row++) {
                for (int column = 0; column < positions; column++) {
                    buckets[row * positions + column] =
                            shape.positions().bucket(column - row, bothSides);
                }
            }
            return buckets;
        }

        /// Returns the answers shifted by one place, after the start token.
        private TokenRows started(TokenRows answers) {
            int width = answers.width();
            var tokens = new long[answers.tokens().length];
            for (int row = 0; row < answers.rows(); row++) {
                tokens[row * width] = pad;
                System.arraycopy(answers.tokens(), row * width, tokens, row * width + 1, width - 1);
            }
            return new TokenRows(tokens, answers.rows());
        }

        private TokenRows trimmed(TokenRows rows) {
            int width = 1;
            for (int i = 0; i < rows.tokens().length; i++) {
                if (rows.tokens()[i] != pad) {
                    width = Math.max(width, i % rows.width() + 1);
                }
            }
            return rows.columns(0, width);
        }

        private long padding(TokenRows rows) {
            return Arrays.stream(rows.tokens()).filter(token -> token == pad).count();
        }
    }

    /// A finished encoder-decoder that a smaller one learns from, by the program that trained it. Confined to one thread; the caller closes it.
    static final class EncoderDecoderTeacher implements AutoCloseable {
        private final PtNDManager manager = TensorRuntime.newManager();
        private final TorchScript program;
        private final TorchValue weights;
        private final TorchValue constants;

        private EncoderDecoderTeacher(
                Path folder, EncoderDecoderShape shape, EncoderDecoderPlan run) {
            var parameters = EncoderDecoderParameters.of(shape);
            var values = new StartCheckpoint(folder).values(parameters).initial(0);
            weights = TorchValue.ofArrays(parameters.arrays(manager, values));
            constants =
                    TorchValue.ofArrays(
                            EncoderDecoderInputs.constants(
                                    shape, EncoderDecoderLearner.positions(run), manager));
            program =
                    TorchScript.compile(
                            TrainingScripts.encoderDecoderPass(shape, run.config().precision()));
        }

        /// Loads a checkpoint folder in the Hugging Face layout.
        ///
        /// @throws OutriderException if files are missing, broken or unsupported; `CONFIG_INVALID` if it cannot teach that run
        static EncoderDecoderTeacher load(Path folder, EncoderDecoderPlan run) {
            var shape =
                    EncoderDecoderShape.of(ModelConfig.read(new Checkpoint(folder)))
                            .filter(each -> each.vocabularySize() == run.shape().vocabularySize())
                            .orElseThrow(() -> notATeacher(folder, run));
            TensorThread.enterInference();
            return new EncoderDecoderTeacher(folder, shape, run);
        }

        /// Logits of every token of the answers, `[n, V]`; without gradient.
        ///
        /// @param inputs as [EncoderDecoderInputs#of]
        /// @param owner  of the result
        NDArray logits(List<NDArray> inputs, PtNDManager owner) {
            TensorThread.enterInference();
            try (var x = TorchValue.ofArrays(inputs);
                    var logits = program.callRecording("logits", weights, x, constants)) {
                return logits.toArray(owner);
            }
        }

        @Override
        public void close() {
            weights.close();
            constants.close();
            program.close();
            manager.close();
        }

        private static OutriderException notATeacher(Path folder, EncoderDecoderPlan run) {
            return ErrorCode.CONFIG_INVALID.error(
                    "'%s' cannot teach: expected an encoder-decoder like T5 1.1 of %d tokens"
                            .formatted(folder, run.shape().vocabularySize()),
                    "Set distillation.teacher to a model that 'outrider train encoder-decoder' made with the same tokenizer.");
        }
    }
}
