package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.torch.TorchDecoder;
import dev.outrider.training.DecoderShape.DecoderParameters;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A finished decoder that is trained further, for learners whose attention mask is not that of text.
///
/// @param folder its folder
/// @param shape  its sizes
public record MaskedDecoder(Path folder, DecoderShape shape) {
    /// Reads its configuration.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if it is not a dense decoder of Llama's form; as [ModelConfig#read]
    public static MaskedDecoder read(Path folder) {
        var model = ModelConfig.read(new Checkpoint(folder));
        return Optional.of(model)
                .filter(each -> each.encoder().isEmpty())
                .flatMap(each -> DecoderShape.of(each.decoder()))
                .map(shape -> new MaskedDecoder(folder, shape))
                .orElseThrow(() ->
                        ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                                "'%s' is a decoder that cannot be trained further: it is not dense, or not of Llama's form"
                                        .formatted(folder),
                                "Choose a checkpoint that 'outrider train lm' could have written."));
    }

    /// Returns the trainable parameters with their values at the start.
    ///
    /// @throws OutriderException if the checkpoint lacks a tensor, or has one of another shape
    public ParameterSet parameters() {
        return new StartCheckpoint(folder).values(DecoderParameters.of(shape));
    }

    /// Digest of its weights.
    public String digest() {
        return new StartCheckpoint(folder).digest();
    }

    /// TorchScript methods: `masked_stream(tokens, positions, mask, p, cos, sin)`, the residual stream of tokens, `[B, T]`, at
    /// positions, `[B*T]`, with the mask `[B, 1, T, T]`, 0 where a token sees another and minus infinity where it does not; and
    /// `head(x, p)`, logits of a stream, `[B*T, V]`. `p` are the [#parameters].
    public String methods(TrainingConfig.Precision precision) {
        return TorchDecoder.methods(shape.decoder(), precision.isBfloat16());
    }

    /// Cosines and signed sines, `[positions, 1, D]` each.
    ///
    /// @param positions at most those of the shape
    public List<NDArray> angles(int positions, PtNDManager manager) {
        return TorchDecoder.angles(shape.decoder(), positions, manager);
    }

    /// The `config.json` of the finished model.
    public String configJson(TrainingPlan.Storage storage, int endOfText) {
        return shape.configJson(storage, endOfText);
    }

    /// Its `tokenizer.json`.
    public Path tokenizer() {
        return new Checkpoint(folder).tokenizer();
    }
}
