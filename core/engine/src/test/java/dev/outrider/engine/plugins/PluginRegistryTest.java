package dev.outrider.engine.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.BuiltInRules.SimpleRuleFactory;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.rule.AcceptanceRule;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PluginRegistryTest {
    private final PluginRegistry registry =
            PluginRegistry.onClassPath(PluginRegistryTest.class.getClassLoader());

    @Test
    void theEnginesOwnRulesAreFoundThroughTheServiceLoader() {
        var rules = registry.all(ComponentKind.ACCEPTANCE_RULE);

        assertThat(rules.names()).contains("greedy", "sample-and-match", "token", "block");
        assertThat(rules.find("token").orElseThrow().factory().name()).isEqualTo("token");
        assertThat(registry.kind(AcceptanceRule.Factory.class)).containsSame(rules);
    }

    @Test
    void anUnknownNameGetsTheNearestAsSuggestion() {
        var installed = PluginRegistry.of(installed(new ThreeRules()));

        assertThat(installed.unknown("tokn"))
                .hasMessage(
                        "UNKNOWN_COMPONENT: there is no target, drafter, acceptance rule, draft-length policy, logits processor or listener 'tokn'\n  Did you mean 'token'? Known targets: none; drafters: none; acceptance rules: greedy, sample-and-match, token; draft-length policies: none; logits processors: none; listeners: none; plugins add others.");
        assertThat(installed.unknown("medusa-heads"))
                .hasMessage(
                        "UNKNOWN_COMPONENT: there is no target, drafter, acceptance rule, draft-length policy, logits processor or listener 'medusa-heads'\n  Known targets: none; drafters: none; acceptance rules: greedy, sample-and-match, token; draft-length policies: none; logits processors: none; listeners: none; plugins add others.");
    }

    @Test
    void itListsTheFoldersOfPlugins() {
        var loader = PluginRegistryTest.class.getClassLoader();

        assertThat(PluginRegistry.load(loader, Path.of("no-such-folder")).more())
                .isEqualTo("plugins in 'no-such-folder' add others");
    }

    /// A list without a kind would be ignored silently.
    @Test
    void everyListOfAPluginIsAKind() {
        var asked = new ArrayList<String>();
        var plugin =
                (OutriderPlugin)
                        Proxy.newProxyInstance(
                                OutriderPlugin.class.getClassLoader(),
                                new Class<?>[] {OutriderPlugin.class},
                                (_, method, _) -> {
                                    asked.add(method.getName());
                                    return method.getReturnType() == List.class
                                            ? List.of()
                                            : OutriderPlugin.SPI_VERSION;
                                });

        PluginRegistry.of(List.of(new InstalledPlugin("the test", plugin)));

        assertThat(asked)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(OutriderPlugin.class.getMethods())
                                .map(Method::getName)
                                .toList());
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
                        "PLUGIN_INCOMPATIBLE: plugin '0' (dev.outrider.engine.plugins.PluginRegistryTest$FuturePlugin) was built for version 99 of the plugin contracts, expected 11\n  Install a newer Outrider, or a build of the plugin for this one.");
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
        public List<AcceptanceRule.Factory<?>> acceptanceRules() {
            return List.of(
                    new SimpleRuleFactory(new TokenRejectionRule()),
                    new SimpleRuleFactory(new GreedyRule()),
                    new SimpleRuleFactory(new SampleAndMatchRule()));
        }
    }

    private static final class FuturePlugin implements OutriderPlugin {
        @Override
        public int spiVersion() {
            return 99;
        }
    }
}
