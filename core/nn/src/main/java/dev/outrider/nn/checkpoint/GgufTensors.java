package dev.outrider.nn.checkpoint;

import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.nn.gguf.GgufMetadata;
import java.util.Optional;
import java.util.Set;

/// The tensors of a GGUF file.
///
/// @param file closed with it
record GgufTensors(GgufFile file) implements TensorFile {
    @Override
    public Set<String> names() {
        return file.tensors().keySet();
    }

    @Override
    public Optional<StoredTensor> tensor(String name) {
        return Optional.ofNullable(file.tensors().get(name))
                .map(entry ->
                        new StoredTensor(
                                name,
                                TensorType.of(entry.type()),
                                entry.shape(),
                                file.data(entry)));
    }

    GgufMetadata metadata() {
        return file.metadata();
    }

    @Override
    public void close() {
        file.close();
    }
}
