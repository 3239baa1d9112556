package dev.outrider.nn.quantise;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.QuantisationConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.FreshFolder;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The files of a quantised checkpoint. `config.json` is written last: without it a folder is not a
/// model.
///
/// @param path the folder
record QuantisedFolder(Path path) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MATRIX = ".weight";
    private static final String EMBEDDING = "embed_tokens" + MATRIX;

    /// A tied head has no tensor of its own.
    private static final String HEAD = "lm_head";

    /// Files of a checkpoint beside weights and configuration that are copied.
    private static final List<String> COPIED =
            List.of(
                    "generation_config.json",
                    "tokenizer.json",
                    "tokenizer_config.json",
                    "special_tokens_map.json",
                    "added_tokens.json",
                    "vocab.json",
                    "merges.txt",
                    "tokenizer.model",
                    "spiece.model",
                    "source.spm",
                    "target.spm",
                    "chat_template.jinja",
                    "chat_template.json",
                    "additional_chat_templates/tool_use.jinja",
                    "preprocessor_config.json",
                    "processor_config.json",
                    "LICENSE",
                    "LICENSE.txt",
                    "LICENSE.md",
                    "NOTICE",
                    "NOTICE.txt");

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
            throw failed(path, e);
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
            if (tensor.shape().size() == 2 && name.endsWith(MATRIX) && !name.endsWith(EMBEDDING)) {
                names.add(name.substring(0, name.length() - MATRIX.length()));
            }
        }
        return names;
    }

    private static OutriderException failed(Path path, IOException cause) {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "the checkpoint '%s' cannot be written: %s"
                        .formatted(path, FailureReason.of(cause)),
                "Choose a folder that can be written to and has room.",
                cause);
    }
}
