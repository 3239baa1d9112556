package dev.outrider.spi;

import java.util.List;

/// Entry point of a plugin, found by [java.util.ServiceLoader]. Lists factories and does no work.
public interface OutriderPlugin {
    /// Version of these contracts. A host serves plugins of its own version.
    int SPI_VERSION = 1;

    /// The version the plugin was compiled against. Implementations return the constant, which the compiler
    /// copies into their class file.
    int spiVersion();

    /// Drafters the plugin adds.
    default List<DrafterFactory<?>> drafters() {
        return List.of();
    }

    /// Acceptance rules the plugin adds.
    default List<AcceptanceRuleFactory<?>> acceptanceRules() {
        return List.of();
    }

    /// Target back ends the plugin adds.
    default List<TargetFactory<?>> targets() {
        return List.of();
    }
}
