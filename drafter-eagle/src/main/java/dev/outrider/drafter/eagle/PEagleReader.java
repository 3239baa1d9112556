package dev.outrider.drafter.eagle;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import java.util.List;

/// Reads heads of P-EAGLE: EAGLE-3's layouts ([Eagle3Reader]), the tensor `mask_hidden` and a mask token.
///
/// | layout | mask token |
/// |---|---|
/// | speculators (`speculators_model_type: peagle`) | `mask_token_id` |
/// | what vLLM reads of others | `pard_token`, or else `ptd_token_id` |
///
/// @see "vllm-project/speculators c05b95b3, models/peagle; vllm-project/vllm, models/llama_eagle3.py and the proposer of EAGLE"
final class PEagleReader {
    private static final List<String> TOKEN_KEYS =
            List.of("mask_token_id", "pard_token", "ptd_token_id");

    private PEagleReader() {}

    /// @throws OutriderException `MODEL_CONFIG_INVALID`, `CHECKPOINT_UNSUPPORTED`, `CHECKPOINT_INCOMPLETE` or
    ///                           `CHECKPOINT_SHAPE_MISMATCH`
    static HeadLayout read(
            ConfigNode root,
            CheckpointTensors tensors,
            TargetDescription target,
            PEagleOverrides wanted) {
        var layer = Eagle3Reader.read(HeadKind.PARALLEL, root, tensors, target, wanted.ofLayer());
        var fusion = layer.config().fusion().orElseThrow();
        return layer.masked(
                new MaskRow(
                        token(root, layer.config().vocabularySize(), wanted),
                        hidden(tensors, fusion.capturedWidth())));
    }

    private static int token(ConfigNode root, int vocabulary, PEagleOverrides wanted) {
        if (wanted.maskToken().isPresent()) {
            int given = wanted.maskToken().get();
            if (given >= vocabulary) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "'maskToken' is %d, the vocabulary has %d tokens"
                                .formatted(given, vocabulary),
                        "Give the token that the head was trained with, or leave it out.");
            }
            return given;
        }
        var key = TOKEN_KEYS.stream().filter(root::has).findFirst().orElse(TOKEN_KEYS.getFirst());
        int token = root.natural(key, -1);
        if (token < 0 || token >= vocabulary) {
            throw root.wrong(key, "a token below %d".formatted(vocabulary));
        }
        return token;
    }

    /// The tensor has dimensions of 1 before its own, whose number dialects differ in.
    private static float[] hidden(CheckpointTensors tensors, int width) {
        var stored = tensors.tensor(MaskRow.TENSOR);
        if (stored.elements() != width || stored.shape().getLast() != width) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_SHAPE_MISMATCH,
                    "tensor '%s' in '%s' has shape %s; expected [1, 1, %d], the captured states end to end"
                            .formatted(MaskRow.TENSOR, tensors.source(), stored.shape(), width),
                    "Check that config.json and the weights belong together, and that the head was trained for this target.");
        }
        return stored.toFloats();
    }
}
