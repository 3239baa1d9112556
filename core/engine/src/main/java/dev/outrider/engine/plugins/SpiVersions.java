package dev.outrider.engine.plugins;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// The versions of the contracts that a host serves.
///
/// @param oldest the version that broke something last
/// @param newest the host's own
record SpiVersions(int oldest, int newest) {
    /// This build's.
    static final SpiVersions SERVED = new SpiVersions(6, OutriderPlugin.SPI_VERSION);

    /// Refuses a plugin that was built for a version outside these.
    ///
    /// @throws OutriderException `PLUGIN_INCOMPATIBLE`
    void require(InstalledPlugin plugin, int version) {
        if (version < oldest) {
            throw incompatible(
                    plugin, version, "Install a build of the plugin for this version of Outrider.");
        }
        if (version > newest) {
            throw incompatible(
                    plugin,
                    version,
                    "Install a newer Outrider, or a build of the plugin for this one.");
        }
    }

    private OutriderException incompatible(InstalledPlugin plugin, int version, String remedy) {
        String served =
                oldest == newest ? String.valueOf(newest) : "%d to %d".formatted(oldest, newest);
        return new OutriderException(
                ErrorCode.PLUGIN_INCOMPATIBLE,
                "%s was built for version %d of the plugin contracts, expected %s"
                        .formatted(plugin.described(), version, served),
                remedy);
    }
}
