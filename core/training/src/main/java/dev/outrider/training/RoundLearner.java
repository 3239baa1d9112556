package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.torch.TorchDecoder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A finished decoder that goes on learning from [VerifiedRows] and from nothing else. Its files stay as they are.
final class RoundLearner implements Learner {
    private final Checkpoint folder;
    private final DecoderShape shape;
    private final RoundTraining.Settings settings;
    private final TrainingPlan.Storage storage;
    private final ParameterSet parameters;

    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if it is no decoder that could have been trained here; what reading it throws
    RoundLearner(Checkpoint folder, RoundTraining.Settings settings) {
        this.folder = folder;
        this.settings = settings;
        var config = ModelConfig.read(folder);
        shape =
                Optional.of(config)
                        .filter(_ -> folder.gguf().isEmpty())
                        .filter(each -> each.encoder().isEmpty() && each.quantisation().isEmpty())
                        .flatMap(each -> DecoderShape.of(each.decoder()))
                        .orElseThrow(() -> unsupported(folder));
        storage =
                config.storage().filter(type -> type == TensorType.BF16).isPresent()
                        ? TrainingPlan.Storage.BFLOAT16
                        : TrainingPlan.Storage.FLOAT32;
        parameters = new StartCheckpoint(folder.path()).values(DecoderParameters.of(shape));
    }

    private static OutriderException unsupported(Checkpoint folder) {
        return new OutriderException(
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "%s cannot go on learning: it is no dense decoder in Llama's layout with floating-point weights"
                        .formatted(folder.path()),
                "Leave 'learn' out, or use a draft such as 'outrider train lm' writes.");
    }

    int vocabularySize() {
        return shape.vocabularySize();
    }

    int maxPositions() {
        return shape.maxPositions();
    }

    @Override
    public Map<String, String> facts() {
        return Map.of("shape", shape.toString());
    }

    @Override
    public ParameterSet parameters() {
        return parameters;
    }

    @Override
    public String program() {
        return TrainingScripts.rounds(
                shape, TrainingConfig.Precision.FLOAT32, settings.divergence());
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        return TorchDecoder.angles(shape.decoder(), shape.maxPositions(), manager);
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        throw new UnsupportedOperationException("rounds are learned from, not text");
    }

    /// As its folder has it, with other numbers.
    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        return finished(values);
    }

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

    @Override
    public void close() {}
}
