package dev.outrider.spi;

import java.util.List;

/// Entry point of a plugin, found by [java.util.ServiceLoader]. Lists factories and does no work.
public interface OutriderPlugin {
    /// Version of these contracts. A host serves plugins of its own version.
    int SPI_VERSION = 1;

    /// {@return the version the plugin was compiled against} Implementations return the constant, which the compiler
    /// copies into their class file.
    int spiVersion();

    /// {@return drafters the plugin adds}
    default List<DrafterFactory<?>> drafters() {
        return List.of();
    }

    /// {@return acceptance rules the plugin adds}
    default List<AcceptanceRuleFactory<?>> acceptanceRules() {
        return List.of();
    }

    /// {@return target back ends the plugin adds}
    default List<TargetFactory<?>> targets() {
        return List.of();
    }
}
