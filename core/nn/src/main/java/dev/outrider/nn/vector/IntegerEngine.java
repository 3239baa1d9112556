package dev.outrider.nn.vector;

import dev.outrider.nn.integers.IntegerProducts;
import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;

/// What multiplies integers in this process: a library that can, or Java's vector code.
final class IntegerEngine {
    /// Property that keeps libraries away when it is `java`.
    static final String PROPERTY = "outrider.integers";

    private IntegerEngine() {}

    /// The first that serves here; looked for once.
    static IntegerProducts best() {
        return Holder.BEST;
    }

    private static final class Holder {
        private static final IntegerProducts BEST = find();

        private static IntegerProducts find() {
            if (!"java".equals(System.getProperty(PROPERTY))) {
                for (var products : ServiceLoader.load(IntegerProducts.class)) {
                    try {
                        products.name();
                        return products;
                    } catch (UnsupportedOperationException e) {
                        LoggerFactory.getLogger(IntegerEngine.class)
                                .info("integers are multiplied by Java: {}", e.getMessage());
                    }
                }
            }
            return new PanelIntegers();
        }
    }
}
