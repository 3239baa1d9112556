package dev.outrider.nn.quantise;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.QuantisationConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.FreshFolder;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.PackedMatrix;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Writes a checkpoint with quantised layer matrices, one row in 32 bits at a time. Other tensors
/// are copied.
///
/// @param levels  the quantised form
/// @param watcher receives each tensor's name before it is read
/// @param stop    asked before each tensor whether to stop
public record Quantiser(Levels levels, Watcher watcher, BooleanSupplier stop) {
    /// Receives the progress.
    @FunctionalInterface
    public interface Watcher {
        /// @param done number of finished tensors
        /// @param of   number of tensors
        void at(String tensor, int done, int of);
    }

    /// The result.
    ///
    /// @param matrices number of quantised matrices
    /// @param before   bytes of all tensors of the source
    /// @param after    bytes of the tensors that were written
    public record Written(int matrices, long before, long after) {}

    /// Writes the checkpoint.
    ///
    /// @param source  the checkpoint
    /// @param out     a folder that does not exist or is empty
    /// @return nothing if it was stopped; then nothing is written
    /// @throws OutriderException if files are missing, broken, unsupported or quantised already,
    ///     the folder has files, memory does not suffice, or `IO_FAILED`
    public Optional<Written> write(Checkpoint source, Path out) {
        source.gguf()
                .ifPresent(file -> {
                    throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                            "'%s' is a GGUF file; expected a folder with safetensors"
                                    .formatted(file),
                            "Quantise the checkpoint that it was made from, or the file with llama.cpp's llama-quantize.");
                });
        var folder = QuantisedFolder.fresh(out);
        var model = ModelConfig.read(source);
        model.quantisation()
                .ifPresent(_ -> {
                    throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                            "'%s' is quantised already; expected weights that are not"
                                    .formatted(source.path()),
                            "Quantise the checkpoint that it was made from.");
                });
        try (var tensors = source.openTensors();
                var arena = Arena.ofConfined()) {
            var chosen = quantisable(source, model, tensors);
            requireMemory(source, tensors, chosen);
            var written = new ArrayList<StoredTensor>();
            var names = new TreeSet<>(tensors.names());
            int done = 0;
            for (var name : names) {
                if (stop.getAsBoolean()) {
                    return Optional.empty();
                }
                watcher.at(name, done, names.size());
                var stored = tensors.tensor(name);
                written.addAll(
                        chosen.contains(name) ? packed(stored, arena).tensors() : List.of(stored));
                done++;
            }
            folder.write(source, levels, tensors.digest(), written);
            return Optional.of(
                    new Written(
                            chosen.size(),
                            bytes(names.stream().map(tensors::tensor).toList()),
                            bytes(written)));
        }
    }

    /// Returns the matrices of all stacks that are separate tensors.
    private static Set<String> quantisable(
            Checkpoint source, ModelConfig model, CheckpointTensors tensors) {
        var chosen = new TreeSet<String>();
        Stream.concat(
                        Stream.of(model.decoder()),
                        model.encoder().map(EncoderConfig::stack).stream())
                .map(stack -> new CheckpointWeights(stack, tensors).requireLevels(Optional.empty()))
                .forEach(weights -> chosen.addAll(weights.quantisable()));
        if (chosen.isEmpty()) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' has no matrix that could be quantised: all share tensors, or have inputs for rows"
                            .formatted(source.path()),
                    "Let the target quantise it when it is loaded: 'precision: int8' or 'int4'.");
        }
        return chosen;
    }

    private void requireMemory(Checkpoint source, CheckpointTensors tensors, Set<String> chosen) {
        double bits =
                chosen.stream().mapToLong(name -> tensors.tensor(name).elements()).sum()
                        * Precision.of(levels).bits();
        long available = NativeMemory.availableBytes();
        if (bits / Byte.SIZE > available) {
            throw ErrorCode.OUT_OF_MEMORY.error(
                    "the quantised matrices of '%s' take %.0f MiB, but %d MiB are available."
                            .formatted(
                                    source.path(), bits / Byte.SIZE / (1 << 20), available >> 20),
                    "Use a precision with fewer bits, or free memory.");
        }
    }

    private PackedMatrix packed(StoredTensor tensor, Arena arena) {
        int columns = Math.toIntExact(tensor.shape().get(1));
        long rows = tensor.shape().getFirst();
        var matrix = PackedMatrix.empty(tensor.name(), levels, rows, columns, arena);
        var numbers = new float[matrix.blocks() * Levels.BLOCK];
        var row = MemorySegment.ofArray(numbers).asSlice(0, (long) columns * Float.BYTES);
        var block = new byte[Levels.BLOCK];
        for (long index = 0; index < rows; index++) {
            tensor.row(index).toFloats(row);
            Precision.of(levels).requireRoom(row, "row %d of '%s'".formatted(index, tensor.name()));
            for (int part = 0; part < matrix.blocks(); part++) {
                int from = part * Levels.BLOCK;
                short scale =
                        levels.round(Arrays.copyOfRange(numbers, from, from + Levels.BLOCK), block);
                matrix.put(index, part, scale, block);
            }
        }
        return matrix;
    }

    private static long bytes(List<StoredTensor> tensors) {
        return tensors.stream().mapToLong(tensor -> tensor.data().byteSize()).sum();
    }

    /// The files of a quantised checkpoint. `config.json` is written last: without it a folder is
    /// not a model.
    ///
    /// @param path the folder
    record QuantisedFolder(Path path) {
        private static final ObjectMapper JSON = new ObjectMapper();
        private static final String MATRIX = ".weight";
        private static final String EMBEDDING = "embed_tokens" + MATRIX;

        /// The name of the head's tensor; a tied head has none.
        private static final String HEAD = "lm_head";

        /// The files of a checkpoint that are copied, in addition to weights and configuration.
        private static final List<String> COPIED =
                List.of(
                        """
                        generation_config.json tokenizer.json tokenizer_config.json
                        special_tokens_map.json added_tokens.json vocab.json merges.txt
                        tokenizer.model spiece.model source.spm target.spm chat_template.jinja
                        chat_template.json additional_chat_templates/tool_use.jinja
                        preprocessor_config.json processor_config.json LICENSE LICENSE.txt
                        LICENSE.md NOTICE NOTICE.txt
                        """
                                .split("\\s+"));

        /// Requires a folder without files.
        ///
        /// @throws OutriderException `CONFIG_INVALID` if it has files, `IO_FAILED`
        static QuantisedFolder fresh(Path path) {
            FreshFolder.require(path);
            return new QuantisedFolder(path);
        }

        /// Writes all files, each atomically.
        ///
        /// @param digest of the source's tensors
        void write(Checkpoint source, Levels levels, String digest, List<StoredTensor> tensors) {
            var precision = Precision.of(levels).name().toLowerCase(Locale.ROOT);
            SafetensorsWriter.write(
                    path.resolve("model.safetensors"),
                    tensors,
                    Map.of("format", "pt", "quantised_from", digest, "precision", precision));
            try {
                for (var name : COPIED) {
                    var file = source.optional(name);
                    if (file.isPresent()) {
                        AtomicFile.write(
                                path.resolve(name),
                                temporary ->
                                        Files.copy(
                                                file.get(),
                                                temporary,
                                                StandardCopyOption.REPLACE_EXISTING));
                    }
                }
                AtomicFile.write(path.resolve("config.json"), config(source, levels, tensors));
            } catch (IOException e) {
                throw FailureReason.writing("the checkpoint", path, e);
            }
        }

        private static String config(Checkpoint source, Levels levels, List<StoredTensor> tensors)
                throws IOException {
            var root = (ObjectNode) ConfigNode.read(source.config()).node().deepCopy();
            QuantisationConfig.write(root, levels, ignored(tensors));
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        }

        /// Returns the names of the linear layers that are not quantised.
        private static Set<String> ignored(List<StoredTensor> tensors) {
            var names = new TreeSet<>(Set.of(HEAD));
            for (var tensor : tensors) {
                var name = tensor.name();
                if (tensor.shape().size() == 2
                        && name.endsWith(MATRIX)
                        && !name.endsWith(EMBEDDING)) {
                    names.add(name.substring(0, name.length() - MATRIX.length()));
                }
            }
            return names;
        }
    }
}
