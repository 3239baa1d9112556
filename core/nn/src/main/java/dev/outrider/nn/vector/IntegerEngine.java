package dev.outrider.nn.vector;

import dev.outrider.nn.integers.IntegerProducts;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Optional;
import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;

/// What multiplies integers in this process: a library that can, or Java's vector code.
final class IntegerEngine {
    /// Property that says who may multiply: `auto`, or `java` alone.
    static final String PROPERTY = "outrider.integers";

    private static Optional<IntegerProducts> best = Optional.empty();

    private IntegerEngine() {}

    /// The first that serves here; looked for once.
    static synchronized IntegerProducts best() {
        if (best.isEmpty()) {
            best = Optional.of(find(System.getProperty(PROPERTY, "auto")));
        }
        return best.get();
    }

    static IntegerProducts find(String wanted) {
        return switch (wanted) {
            case "java" -> new PanelIntegers();
            case "auto" -> library();
            default ->
                    throw new OutriderException(
                            ErrorCode.CONFIG_INVALID,
                            "the property %s is '%s', expected auto or java"
                                    .formatted(PROPERTY, wanted),
                            "Leave it out, or set it to java to multiply integers without a library.");
        };
    }

    private static IntegerProducts library() {
        for (var provider : ServiceLoader.load(IntegerProducts.Provider.class)) {
            try {
                return provider.open();
            } catch (OutriderException e) {
                LoggerFactory.getLogger(IntegerEngine.class)
                        .warn("integers are multiplied by Java: {}", e.getMessage());
            }
        }
        return new PanelIntegers();
    }
}
