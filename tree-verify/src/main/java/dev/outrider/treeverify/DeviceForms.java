package dev.outrider.treeverify;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;

/// Which decoders a device runs.
public final class DeviceForms {
    private DeviceForms() {}

    /// Refuses what the device's program does not compute.
    ///
    /// @param path where the decoder's checkpoint is
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    public static void require(Path path, DecoderConfig decoder) {
        if (!decoder.plain()) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "'%s' is no decoder with blocks as in Llama, which are all that a device runs: it has %s"
                            .formatted(path, decoder.form()),
                    "Use the back end 'vector'.");
        }
    }
}
