package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;

/// A finished encoder-decoder that a smaller one learns from, by the program that trained it. Confined to one thread; the caller closes it.
final class EncoderDecoderTeacher implements AutoCloseable {
    private final PtNDManager manager = TensorRuntime.newManager();
    private final TorchScript program;
    private final TorchValue weights;
    private final TorchValue constants;

    private EncoderDecoderTeacher(
            EncoderDecoderShape shape, EncoderDecoderPlan run, CheckpointTensors tensors) {
        var parameters = EncoderDecoderParameters.of(shape);
        var values =
                parameters.list().stream().map(parameter -> stored(parameter, tensors)).toList();
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
    /// @throws OutriderException if files are missing, broken or unsupported; `CONFIG_INVALID` if it is no teacher for that run
    static EncoderDecoderTeacher load(Path folder, EncoderDecoderPlan run) {
        var directory = new Checkpoint(folder);
        var shape =
                EncoderDecoderShape.of(ModelConfig.read(directory))
                        .filter(each -> each.vocabularySize() == run.shape().vocabularySize())
                        .orElseThrow(() -> notATeacher(folder, run));
        TensorThread.enterInference();
        try (var tensors = directory.openTensors()) {
            return new EncoderDecoderTeacher(shape, run, tensors);
        }
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

    private static float[] stored(Parameter parameter, CheckpointTensors tensors) {
        var values = FloatBuffer.allocate(parameter.size());
        long columns = parameter.size() / parameter.shape()[0];
        for (var part : parameter.parts()) {
            var shape =
                    parameter.decays()
                            ? new long[] {part.rows(), columns}
                            : new long[] {part.rows()};
            values.put(tensors.tensor(part.name(), shape).toFloats());
        }
        return values.array();
    }

    private static OutriderException notATeacher(Path folder, EncoderDecoderPlan run) {
        return new OutriderException(
                ErrorCode.CONFIG_INVALID,
                "'%s' cannot teach: expected an encoder-decoder like T5 1.1 of %d tokens"
                        .formatted(folder, run.shape().vocabularySize()),
                "Set distillation.teacher to a model that 'outrider train encoder-decoder' made with the same tokenizer.");
    }
}
