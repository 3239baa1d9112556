package dev.outrider.nn.checkpoint;

import java.util.Optional;
import java.util.Set;

/// A file of tensors.
sealed interface TensorFile extends AutoCloseable permits SafetensorsFile, GgufTensors {
    /// Names of the tensors in the order of the file.
    Set<String> names();

    /// A tensor by name.
    Optional<StoredTensor> tensor(String name);

    @Override
    void close();
}
