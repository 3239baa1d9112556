package dev.outrider.onednn;

import dev.outrider.nn.integers.IntegerProducts;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;

/// Offers oneDNN's products if the library exists and is exact. Thread-safe.
public final class OneDnnProvider implements IntegerProducts.Provider {
    /// For the service loader.
    public OneDnnProvider() {}

    @Override
    public IntegerProducts open() {
        try {
            return OneDnnProducts.load();
        } catch (IOException | RuntimeException | LinkageError e) {
            throw new OutriderException(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "oneDNN does not serve here: %s".formatted(e.getMessage()),
                    "Nothing needs to be done: Java computes the same, more slowly.",
                    e);
        }
    }
}
