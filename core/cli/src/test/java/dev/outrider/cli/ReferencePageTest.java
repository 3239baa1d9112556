package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.config.KeyDescription;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.PluginRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checks that the reference page equals the text generated from the configuration records.
class ReferencePageTest {
    private static final Path DOCS = Path.of(System.getProperty("outrider.root", "../.."), "docs");

    @TempDir private Path plugins = Path.of("");

    private final PluginRegistry registry =
            PluginRegistry.onClassPath(ReferencePageTest.class.getClassLoader());

    @Test
    void thePageInDocsIsTheOneThatTheRecordsMake() throws IOException {
        assertThat(Files.readString(DOCS.resolve("reference/configuration.md")))
                .as(
                        "docs/reference/configuration.md differs from the records; write it again, without plugins of others, by"
                                + " ./outrider plugins reference > docs/reference/configuration.md")
                .isEqualTo(new ReferencePage(registry).text());
    }

    @Test
    void everyKeyOfEveryComponentIsExplained() {
        for (ComponentKind<?> kind : ComponentKind.all()) {
            for (var component : registry.all(kind).all()) {
                KeyDescription.of(component.configType())
                        .forEach(key -> requireExplained(component.name(), key));
            }
        }
    }

    private static void requireExplained(String where, KeyDescription key) {
        assertThat(key.doc()).as("%s.%s", where, key.name()).isNotEmpty();
        key.nested().forEach(each -> requireExplained(where + "." + key.name(), each));
    }

    @Test
    void thePluginGuideHasTheTableOfTypes() throws IOException {
        assertThat(Files.readString(DOCS.resolve("guide/plugin-guide.md")))
                .as(
                        "the types of configuration records in docs/guide/plugin-guide.md; docs/reference/configuration.md has them")
                .contains(ReferencePage.types());
    }

    @Test
    void theCommandPrintsPluginsOfOthersToo() throws IOException {
        EchoSources.jar().write(plugins.resolve("echo/echo.jar"));

        assertThat(Run.withPlugins(plugins, "plugins", "reference").out())
                .contains("### small-model\n", "### echo (plugin 'echo')\n");
    }
}
