package dev.outrider.training;

import dev.outrider.nn.checkpoint.StoredTensor;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What a finished run writes beside `training.json`.
///
/// @param configJson content of `config.json`
/// @param tensors    content of `model.safetensors`
/// @param tokenizer  a `tokenizer.json` to copy beside them
public record FinishedModel(
        String configJson, List<StoredTensor> tensors, Optional<Path> tokenizer) {
    public FinishedModel {
        tensors = List.copyOf(tensors);
    }
}
