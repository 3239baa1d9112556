package dev.outrider.engine.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.OneHotRule;
import dev.outrider.engine.acceptance.SimpleRuleFactory;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.OutriderPlugin;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PluginRegistryTest {
    private final PluginRegistry registry =
            PluginRegistry.onClassPath(PluginRegistryTest.class.getClassLoader());

    @Test
    void theEnginesOwnRulesAreFoundThroughTheServiceLoader() {
        assertThat(registry.acceptanceRules().names())
                .contains("greedy", "one-hot", "token", "block");
        assertThat(registry.acceptanceRules().require("token").name()).isEqualTo("token");
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearest() {
        var rules = PluginRegistry.of(installed(new ThreeRules())).acceptanceRules();

        assertThatThrownBy(() -> rules.require("tokn"))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "UNKNOWN_COMPONENT: there is no acceptance rule 'tokn'\n  Did you mean 'token'? Known are: greedy, one-hot, token.");
        assertThatThrownBy(() -> rules.require("medusa-heads"))
                .hasMessage(
                        "UNKNOWN_COMPONENT: there is no acceptance rule 'medusa-heads'\n  Known are: greedy, one-hot, token.");
    }

    @Test
    void anEmptyRegistrySaysSo() {
        assertThatThrownBy(() -> PluginRegistry.of(List.of()).drafters().require("eagle"))
                .hasMessage("UNKNOWN_COMPONENT: there is no drafter 'eagle'\n  Known are: none.");
    }

    @Test
    void twoComponentsOfOneNameAreRefused() {
        assertThatThrownBy(() -> PluginRegistry.of(installed(new EnginePlugin(), new ThreeRules())))
                .hasMessage(
                        "PLUGIN_DUPLICATE: acceptance rule 'token' is provided by both plugin '0' (dev.outrider.engine.plugins.EnginePlugin) and plugin '1' (dev.outrider.engine.plugins.PluginRegistryTest$ThreeRules)\n  Remove one of the two plugins, or rename its component.");
    }

    @Test
    void aPluginOfAnotherContractVersionIsRefused() {
        assertThatThrownBy(() -> PluginRegistry.of(installed(new FuturePlugin())))
                .hasMessage(
                        "PLUGIN_INCOMPATIBLE: plugin '0' (dev.outrider.engine.plugins.PluginRegistryTest$FuturePlugin) was built for version 99 of the plugin contracts, expected 1\n  Install a build of the plugin for this version of Outrider.");
    }

    private static List<InstalledPlugin> installed(OutriderPlugin... plugins) {
        return IntStream.range(0, plugins.length)
                .mapToObj(number ->
                        new InstalledPlugin("plugin '%d'".formatted(number), plugins[number]))
                .toList();
    }

    private static final class ThreeRules implements OutriderPlugin {
        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public List<AcceptanceRuleFactory<?>> acceptanceRules() {
            return List.of(
                    new SimpleRuleFactory(new TokenRejectionRule()),
                    new SimpleRuleFactory(new GreedyRule()),
                    new SimpleRuleFactory(new OneHotRule()));
        }
    }

    private static final class FuturePlugin implements OutriderPlugin {
        @Override
        public int spiVersion() {
            return 99;
        }
    }
}
