package dev.outrider.config;

import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.NearestName;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Texts of configuration files.
final class ConfigText {
    private ConfigText() {}

    /// Returns a file's text.
    ///
    /// @param name name of the file in messages
    /// @throws OutriderException CONFIG_NOT_FOUND, IO_FAILED, or CONFIG_SYNTAX if it is too
    ///     long or not UTF-8
    static String of(Path file, String name) {
        if (!Files.isRegularFile(file)) {
            throw ErrorCode.CONFIG_NOT_FOUND.error(
                    "there is no configuration file '" + name + "'" + NearestName.hint(file),
                    "Give the path of a YAML file; configs/ has examples.");
        }
        try {
            long size = Files.size(file);
            if (size > ConfigLoader.MAX_BYTES) {
                throw ErrorCode.CONFIG_SYNTAX.error(
                        "%s is %d bytes long; a configuration has at most %d"
                                .formatted(name, size, ConfigLoader.MAX_BYTES),
                        "Check that this is the configuration file; keep prompts in a file of their own.");
            }
            return BoundedFile.text(file, ConfigLoader.MAX_BYTES);
        } catch (CharacterCodingException e) {
            throw ErrorCode.CONFIG_SYNTAX.error(
                    name + " is not UTF-8 text", "Save the file as UTF-8.", e);
        } catch (IOException e) {
            throw FailureReason.reading(file, e);
        }
    }

    /// Returns the name of a file in messages: as given, with forward slashes.
    static String name(Path file) {
        return file.toString().replace('\\', '/');
    }
}
