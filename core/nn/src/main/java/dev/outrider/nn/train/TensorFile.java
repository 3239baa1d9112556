package dev.outrider.nn.train;

import dev.outrider.nn.checkpoint.SafetensorsFile;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// The safetensors files of a training run, held in memory as 32-bit floats.
final class TensorFile {
    private TensorFile() {}

    /// A tensor.
    record Entry(long[] shape, float[] values) {}

    /// What a file holds.
    record Content(Map<String, String> metadata, Map<String, Entry> tensors) {
        Entry tensor(String name) {
            var tensor = tensors.get(name);
            if (tensor == null) {
                throw new IllegalArgumentException(
                        "no tensor %s; there are %s".formatted(name, tensors.keySet()));
            }
            return tensor;
        }
    }

    /// How numbers are stored.
    enum Storage {
        F32,
        BF16
    }

    /// Write atomically: the old file stays whole until the new one is.
    static void write(Path file, Content content, Storage storage) {
        var tensors =
                content.tensors().entrySet().stream()
                        .map(entry -> stored(entry.getKey(), entry.getValue(), storage))
                        .toList();
        SafetensorsWriter.write(file, tensors, content.metadata());
    }

    /// Read a whole file.
    static Content read(Path path) {
        try (var file = SafetensorsFile.open(path)) {
            var tensors = new LinkedHashMap<String, Entry>();
            for (var name : file.names()) {
                var tensor = file.tensor(name).orElseThrow();
                var shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
                tensors.put(name, new Entry(shape, tensor.toFloats()));
            }
            return new Content(file.metadata(), tensors);
        }
    }

    private static StoredTensor stored(String name, Entry tensor, Storage storage) {
        return switch (storage) {
            case F32 -> StoredTensor.ofFloats(name, tensor.values(), tensor.shape());
            case BF16 -> StoredTensor.ofBfloat16(name, tensor.values(), tensor.shape());
        };
    }
}
