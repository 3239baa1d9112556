package dev.outrider.engine.plugins;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.plugins.PluginRegistry.SpiVersions;
import dev.outrider.spi.OutriderPlugin;
import org.junit.jupiter.api.Test;

class SpiVersionsTest {
    private static final SpiVersions TWO_TO_FOUR = new SpiVersions(2, 4);
    private static final String WHO =
            "PLUGIN_INCOMPATIBLE: plugin 'echo' (%s) was built for version "
                    .formatted(Plugin.class.getName());

    private final InstalledPlugin plugin = new InstalledPlugin("plugin 'echo'", new Plugin());

    @Test
    void pluginsOfSupportedEarlierVersionsLoad() {
        for (int version = 2; version <= 4; version++) {
            int each = version;
            assertThatCode(() -> TWO_TO_FOUR.require(plugin, each)).doesNotThrowAnyException();
        }
    }

    @Test
    void aPluginFromBeforeTheLastBreakIsRefused() {
        assertThatThrownBy(() -> TWO_TO_FOUR.require(plugin, 1))
                .hasMessage(
                        WHO
                                + "1 of the plugin contracts, expected 2 to 4\n"
                                + "  Install a build of the plugin for this version of Outrider.");
    }

    @Test
    void aPluginOfALaterHostIsRefused() {
        assertThatThrownBy(() -> TWO_TO_FOUR.require(plugin, 5))
                .hasMessage(
                        WHO
                                + "5 of the plugin contracts, expected 2 to 4\n"
                                + "  Install a newer Outrider, or a build of the plugin for this one.");
    }

    @Test
    void thisBuildServesItsOwnVersion() {
        assertThatCode(() -> SpiVersions.SERVED.require(plugin, OutriderPlugin.SPI_VERSION))
                .doesNotThrowAnyException();
    }

    private static final class Plugin implements OutriderPlugin {
        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }
    }
}
