package dev.outrider.nn.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.common.FailureReason;
import dev.outrider.common.NearestName;
import dev.outrider.common.Sha256;
import dev.outrider.common.Undo;
import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.nn.gguf.GgufMetadata;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/// All tensors of a checkpoint in one or several files.
///
/// Thread-safe. Owner: the caller that opened it; its tensors are invalid after closing.
public final class CheckpointTensors implements AutoCloseable {
    private static final long CHUNK = 1 << 24;

    private final Path source;
    private final List<TensorFile> files;
    private final Map<String, TensorFile> fileOf;

    private CheckpointTensors(
            Path source, List<? extends TensorFile> files, Map<String, TensorFile> fileOf) {
        this.source = source;
        this.files = List.copyOf(files);
        this.fileOf = fileOf;
    }

    /// Opens the tensors of one file.
    ///
    /// @throws OutriderException as [SafetensorsFile#open]
    public static CheckpointTensors ofFile(Path path) {
        return of(path, SafetensorsFile.open(path));
    }

    /// Opens the tensors of a GGUF file, under its own names.
    ///
    /// @throws OutriderException as [GgufFile#open]
    public static CheckpointTensors ofGguf(Path path) {
        return of(path, new GgufTensors(GgufFile.open(path)));
    }

    private static CheckpointTensors of(Path path, TensorFile file) {
        var fileOf = new LinkedHashMap<String, TensorFile>();
        file.names().forEach(name -> fileOf.put(name, file));
        return new CheckpointTensors(path, List.of(file), fileOf);
    }

    /// Opens the tensors that an index lists; other tensors are ignored.
    ///
    /// @param index a `model.safetensors.index.json`; its files are in the same folder
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` if a file or a tensor is missing,
    ///     otherwise as [SafetensorsFile#open]
    public static CheckpointTensors ofIndex(Path index) {
        var listed = ShardIndex.read(index).fileOf();
        var opened = new LinkedHashMap<String, SafetensorsFile>();
        return Undo.onFailure(
                () -> opened.values().forEach(SafetensorsFile::close),
                () -> {
                    for (var name : new TreeSet<>(listed.values())) {
                        opened.put(name, openShard(index, name));
                    }
                    var fileOf = new LinkedHashMap<String, TensorFile>();
                    listed.forEach(
                            (tensor, name) -> fileOf.put(tensor, shardWith(tensor, name, opened)));
                    return new CheckpointTensors(index, List.copyOf(opened.values()), fileOf);
                });
    }

    private static SafetensorsFile openShard(Path index, String name) {
        var path = index.resolveSibling(name);
        if (!Files.isRegularFile(path)) {
            throw ErrorCode.CHECKPOINT_INCOMPLETE.error(
                    "the index '%s' lists the file '%s', which is not there".formatted(index, name),
                    "Download the missing file into the same directory.");
        }
        return SafetensorsFile.open(path);
    }

    private static SafetensorsFile shardWith(
            String tensor, String name, Map<String, SafetensorsFile> opened) {
        var file = opened.get(name);
        if (file == null || !file.names().contains(tensor)) {
            throw ErrorCode.CHECKPOINT_INCOMPLETE.error(
                    "the index says that '%s' holds tensor '%s', but it does not"
                            .formatted(name, tensor),
                    "Download index and files again; they do not belong together.");
        }
        return file;
    }

    /// Returns the names of all tensors.
    public Set<String> names() {
        return Collections.unmodifiableSet(fileOf.keySet());
    }

    /// Returns a tensor, if present.
    public Optional<StoredTensor> find(String name) {
        return Optional.ofNullable(fileOf.get(name)).flatMap(file -> file.tensor(name));
    }

    /// Returns a required tensor.
    ///
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` if it is missing; the message lists the
    ///     nearest names
    public StoredTensor tensor(String name) {
        return find(name).orElseThrow(() -> missing(name));
    }

    /// Returns a required tensor of this shape.
    ///
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` or `CHECKPOINT_SHAPE_MISMATCH`
    public StoredTensor tensor(String name, long... shape) {
        var tensor = tensor(name);
        var expected = Arrays.stream(shape).boxed().toList();
        if (!tensor.shape().equals(expected)) {
            throw ErrorCode.CHECKPOINT_SHAPE_MISMATCH.error(
                    "tensor '%s' of '%s' has shape %s; expected %s"
                            .formatted(name, source, tensor.shape(), expected),
                    "Check that config.json and the weights belong to the same model.");
        }
        return tensor;
    }

    private OutriderException missing(String name) {
        var nearest = NearestName.ranked(name, fileOf.keySet(), 3);
        var names = nearest.isEmpty() ? "no tensors at all" : String.join(", ", nearest);
        return ErrorCode.CHECKPOINT_INCOMPLETE.error(
                "there is no tensor '%s' in '%s'; the nearest names are: %s"
                        .formatted(name, source, names),
                "Check that config.json and the weights belong to the same model.");
    }

    /// Returns the lower-case hexadecimal SHA-256 of all tensors: names, types, shapes and bytes,
    /// independent of the files. Reads every byte.
    public String digest() {
        return digest(() -> false);
    }

    /// Returns the digest, unless the calculation is stopped.
    ///
    /// @throws CancellationException if it was stopped
    public String digest(BooleanSupplier stopped) {
        var hash = new Sha256();
        for (var name : new TreeSet<>(fileOf.keySet())) {
            var tensor = tensor(name);
            var heading = "%s %s %s%n".formatted(name, tensor.type(), tensor.shape());
            hash.add(heading.replace("\r\n", "\n"));
            add(hash, tensor.data(), stopped);
        }
        return hash.hex();
    }

    private static void add(Sha256 hash, MemorySegment data, BooleanSupplier stopped) {
        for (long at = 0; at < data.byteSize(); at += CHUNK) {
            if (stopped.getAsBoolean()) {
                throw new CancellationException();
            }
            hash.add(data.asSlice(at, Math.min(CHUNK, data.byteSize() - at)).asByteBuffer());
        }
    }

    /// Returns the metadata of a GGUF file, if the tensors are of one.
    public Optional<GgufMetadata> gguf() {
        return files.stream()
                .filter(GgufTensors.class::isInstance)
                .map(file -> ((GgufTensors) file).metadata())
                .findFirst();
    }

    /// Returns the path of the tensors, for messages.
    public Path source() {
        return source;
    }

    /// Unmaps all files. Idempotent.
    @Override
    public void close() {
        var reversed = new ArrayList<>(files);
        Collections.reverse(reversed);
        reversed.forEach(TensorFile::close);
    }

    /// A file of tensors.
    sealed interface TensorFile extends AutoCloseable permits SafetensorsFile, GgufTensors {
        /// Returns the names of the tensors in the order of the file.
        Set<String> names();

        /// Returns a tensor by name.
        Optional<StoredTensor> tensor(String name);

        @Override
        void close();
    }

    /// The tensors of a GGUF file.
    ///
    /// @param file closed together with this
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

    /// The index of a checkpoint in several files, `model.safetensors.index.json`.
    ///
    /// @param fileOf plain file name by tensor name
    record ShardIndex(Map<String, String> fileOf) {
        /// Without separators, so an index cannot name files outside its directory.
        private static final Pattern PLAIN_NAME =
                Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+=@ -]*");

        static ShardIndex read(Path path) {
            JsonNode root;
            try {
                root = CheckpointJson.read(path);
            } catch (JsonProcessingException e) {
                throw broken(path, "is not valid JSON: " + e.getOriginalMessage());
            } catch (IOException e) {
                throw FailureReason.reading(path, e);
            }
            var map = root.path("weight_map");
            if (!map.isObject() || map.isEmpty()) {
                throw broken(path, "has no weight_map");
            }
            var fileOf = new LinkedHashMap<String, String>();
            for (var entry : map.properties()) {
                var file = entry.getValue();
                if (!file.isTextual() || !PLAIN_NAME.matcher(file.textValue()).matches()) {
                    throw broken(
                            path,
                            "puts tensor '%s' into %s; expected the plain name of a file beside the index"
                                    .formatted(entry.getKey(), file));
                }
                if (!file.textValue().endsWith(".safetensors")) {
                    throw broken(
                            path,
                            "puts tensor '%s' into %s; expected a .safetensors file"
                                    .formatted(entry.getKey(), file));
                }
                fileOf.put(entry.getKey(), file.textValue());
            }
            return new ShardIndex(fileOf);
        }

        private static OutriderException broken(Path path, String problem) {
            return ErrorCode.SAFETENSORS_CORRUPT.error(
                    "the index '%s' %s".formatted(path, problem),
                    "Download the index again from where the checkpoint comes from.");
        }
    }
}
