package dev.outrider.training;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import java.nio.file.Path;

/// A checkpoint whose numbers are the values before the first step.
///
/// @param folder a decoder in the Hugging Face layout
record StartCheckpoint(Path folder) {
    /// The same parameters with its values.
    ///
    /// @throws dev.outrider.spi.error.OutriderException if it lacks a tensor, or has one of another shape
    ParameterSet values(ParameterSet fresh) {
        try (var tensors = new Checkpoint(folder).openTensors()) {
            return new ParameterSet(
                    fresh.list().stream().map(each -> values(each, tensors)).toList());
        }
    }

    /// Digest of its weights, as [CheckpointTensors#digest].
    String digest() {
        try (var tensors = new Checkpoint(folder).openTensors()) {
            return tensors.digest();
        }
    }

    private static Parameter values(Parameter parameter, CheckpointTensors tensors) {
        var values = new float[parameter.size()];
        int at = 0;
        for (var part : parameter.parts()) {
            long[] shape = parameter.shape().clone();
            shape[0] = part.rows();
            var found = tensors.tensor(part.name(), shape).toFloats();
            System.arraycopy(found, 0, values, at, found.length);
            at += found.length;
        }
        return new Parameter(
                parameter.shape(), parameter.parts(), new Parameter.Initial.Given(values));
    }
}
