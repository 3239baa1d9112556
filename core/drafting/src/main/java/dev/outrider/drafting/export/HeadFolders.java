package dev.outrider.drafting.export;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.nn.checkpoint.FreshFolder;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The folders of a head, of its target, and of the output.
public record HeadFolders(
        @Doc("Folder of the head.") Path head,
        @Doc("Folder of the target it was trained for.") Path target,
        @Doc("Where to write, a new or an empty folder.") Path out) {
    private static final String CONFIG = "config.json";

    /// Writes the files. The configuration is written last: a folder without it is not a head.
    ///
    /// @param weights  name of the file of tensors
    /// @param config   content of `config.json`
    /// @param readable checks the written tensors; they are removed again if it throws
    /// @throws OutriderException `CONFIG_INVALID` if the folder has files, `IO_FAILED`
    public void write(
            String weights, List<StoredTensor> tensors, String config, Runnable readable) {
        FreshFolder.require(out);
        var file = out.resolve(weights);
        SafetensorsWriter.write(file, tensors, Map.of("format", "pt"));
        boolean kept = false;
        try {
            readable.run();
            AtomicFile.write(out.resolve(CONFIG), config);
            kept = true;
        } catch (IOException e) {
            throw FailureReason.writing("the head", out, e);
        } finally {
            if (!kept) {
                FailureReason.writing("the head", out, () -> Files.deleteIfExists(file));
            }
        }
    }
}
