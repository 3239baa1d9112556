package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.engine.plugins.LoadedFolder;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests plugins from real jars: which are loaded, which are refused, and the message of the refusal.
class PluginFoldersTest {
    @TempDir private Path plugins = Path.of("");

    @Test
    void aPluginOfAFolderStandsBesideOutridersOwn() throws IOException {
        EchoSources.jar().write(plugins.resolve("echo/echo.jar"));

        var registry = registry();

        assertThat(drafters(registry)).contains("echo", "small-model");
        assertThat(origins(registry))
                .containsEntry("echo", "plugin 'echo'")
                .containsEntry("small-model", "the class path");
    }

    @Test
    void withoutADirectoryThereAreNoPlugins() {
        var none = PluginRegistry.load(host(), plugins.resolve("nowhere"));

        assertThat(origins(none).values()).containsOnly("the class path");
    }

    @Test
    void filesAndHiddenFoldersDoNotCount() throws IOException {
        Files.writeString(plugins.resolve("README.md"), "plugins of ours");
        Files.createDirectories(plugins.resolve(".cache"));

        assertThat(drafters(registry())).doesNotContain("echo");
    }

    @Test
    void twoPluginsMayBringDifferentVersionsOfOneLibrary() throws IOException {
        for (var each : new String[] {"one", "two"}) {
            EchoSources.jarWith("\"echo\"", "acme.Library.NAME.toString()")
                    .source(
                            """
                            package acme;
                            public final class Library { public static final Object NAME = "echo-%s"; }
                            """
                                    .formatted(each))
                    .write(plugins.resolve(each).resolve("echo.jar"));
        }

        assertThat(drafters(registry())).contains("echo-one", "echo-two");
    }

    @Test
    void aPluginsOwnCopyOfAHostLibraryWinsOverTheHosts() throws IOException {
        EchoSources.jarWith("\"echo\"", "picocli.CommandLine.NAME.toString()")
                .source(
                        """
                        package picocli;
                        public final class CommandLine { public static final Object NAME = "of-its-own"; }
                        """)
                .write(plugins.resolve("echo/echo.jar"));

        assertThat(drafters(registry())).contains("of-its-own");
    }

    @Test
    void theEngineIsOutOfSight() throws IOException {
        EchoSources.jarWith(
                        "return \"echo\";",
                        "return new dev.outrider.engine.acceptance.GreedyRule().traits().name();")
                .write(plugins.resolve("echo/echo.jar"));

        refused(
                "PLUGIN_INVALID: plugin 'echo' needs the class dev.outrider.engine.acceptance.GreedyRule, which it cannot see\n"
                        + "  Put the jar that has it into the plugin's folder. Of Outrider, plugins see only"
                        + " dev.outrider.spi, nn, drafting and training.");
    }

    @Test
    void aFolderWithoutAJarIsRefused() throws IOException {
        Files.createDirectories(plugins.resolve("empty"));

        refused(
                "PLUGIN_INVALID: plugin 'empty' has no jar in '%s'\n  Put the plugin's jar there, or remove the folder."
                        .formatted(plugins.resolve("empty")));
    }

    @Test
    void aFolderOfPluginFoldersIsRefused() throws IOException {
        EchoSources.jar().write(plugins.resolve("all/echo/echo.jar"));

        refused(
                "PLUGIN_INVALID: plugin 'all' has no jar in '%s'\n  Jars are one folder further down, as in %s: a plugin is one folder."
                        .formatted(plugins.resolve("all"), plugins.resolve("all/echo")));
    }

    @Test
    void aFileInPlaceOfAFolderIsRefused() throws IOException {
        Path jar = EchoSources.jar().write(plugins.resolve("echo.jar"));

        assertThatThrownBy(() -> LoadedFolder.open(jar, host()))
                .hasMessage(
                        "PLUGIN_INVALID: '%s' is a file, expected the folder that holds the plugin's jars\n  Copy it to a folder of its own, such as plugins/my-drafter, and give that."
                                .formatted(jar));
    }

    @Test
    void aJarOutsideAFolderIsRefused() throws IOException {
        Path jar = EchoSources.jar().write(plugins.resolve("echo.jar"));

        refused(
                "PLUGIN_INVALID: '%s' lies outside a plugin folder\n  Move it to a folder of its own: %s."
                        .formatted(jar, plugins.resolve("echo/echo.jar")));
    }

    @Test
    void aFileThatIsNoJarIsRefused() throws IOException {
        Files.createDirectories(plugins.resolve("echo"));
        Files.writeString(plugins.resolve("echo/echo.jar"), "<html>404</html>");

        assertThatThrownBy(this::registry)
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith("PLUGIN_INVALID: plugin 'echo' cannot be read at '")
                .hasMessageEndingWith("\n  Copy the plugin's jar again, or remove it.");
    }

    @Test
    void aJarWithoutAProviderIsRefused() throws IOException {
        new PluginJar().file("readme.txt", "nothing").write(plugins.resolve("echo/echo.jar"));

        refused(
                "PLUGIN_INVALID: plugin 'echo' has no provider: none of its jars has"
                        + " META-INF/services/dev.outrider.spi.OutriderPlugin\n"
                        + "  Add that file to the jar, with one line: the name of the class that implements OutriderPlugin.");
    }

    @Test
    void twoBuildsOfOnePluginInAFolderAreRefused() throws IOException {
        EchoSources.jar().write(plugins.resolve("echo/echo-1.0.jar"));
        EchoSources.jar().write(plugins.resolve("echo/echo-1.1.jar"));

        refused(
                "PLUGIN_DUPLICATE: plugin 'echo' names 2 providers, expected one: acme.EchoPlugin in echo-1.0.jar,"
                        + " acme.EchoPlugin in echo-1.1.jar\n"
                        + "  Remove the older jar, or give each plugin a folder of its own.");
    }

    @Test
    void aBundledCopyOfTheContractsIsRefused() throws IOException {
        EchoSources.jar()
                .source("package dev.outrider.spi.sampling;\npublic final class Copy {}")
                .write(plugins.resolve("echo/echo.jar"));

        refused(
                "PLUGIN_INVALID: plugin 'echo' brings a copy of dev.outrider.spi.sampling.Copy in echo.jar, which Outrider provides\n"
                        + "  Build the plugin without it: in Maven, give the dependency the scope 'provided'.");
    }

    @Test
    void aCopyOfTheContractsForALaterJavaIsRefusedToo() throws IOException {
        EchoSources.jar()
                .file(
                        "META-INF/versions/25/dev/outrider/spi/sampling/Randomness.class",
                        "not even a class")
                .write(plugins.resolve("echo/echo.jar"));

        assertThatThrownBy(this::registry)
                .hasMessageContaining(
                        "brings a copy of dev.outrider.spi.sampling.Randomness in echo.jar");
    }

    @Test
    void aProviderThatIsNotThereIsRefused() throws IOException {
        EchoSources.jar().provider("acme.EcoPlugin").write(plugins.resolve("echo/echo.jar"));

        assertThatThrownBy(this::registry)
                .hasMessageStartingWith("PLUGIN_INVALID: plugin 'echo' cannot be loaded: ")
                .hasMessageContaining("Provider acme.EcoPlugin not found")
                .hasMessageContaining("\n  Remove its jar, or correct its META-INF/services entry");
    }

    @Test
    void aProviderThatIsNoPluginIsRefused() throws IOException {
        EchoSources.jar().provider("acme.EchoFactory").write(plugins.resolve("echo/echo.jar"));

        assertThatThrownBy(this::registry).hasMessageContaining("acme.EchoFactory not a subtype");
    }

    @Test
    void aPluginOfAnotherVersionOfTheContractsIsRefused() throws IOException {
        EchoSources.jarWith("return SPI_VERSION;", "return 1;")
                .write(plugins.resolve("echo/echo.jar"));

        refused(
                "PLUGIN_INCOMPATIBLE: plugin 'echo' (acme.EchoPlugin) was built for version 1 of the plugin contracts, expected 11\n"
                        + "  Install a build of the plugin for this version of Outrider.");
    }

    @Test
    void aPluginForALaterJavaIsRefused() throws IOException {
        byte[] header = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, 120};
        new PluginJar()
                .file("acme/LaterPlugin.class", header)
                .provider("acme.LaterPlugin")
                .write(plugins.resolve("later/later.jar"));

        assertThatThrownBy(this::registry)
                .hasMessageStartingWith(
                        "PLUGIN_INCOMPATIBLE: plugin 'later' was compiled against other classes than there are here:"
                                + " java.lang.UnsupportedClassVersionError")
                .hasMessageEndingWith(
                        "\n  Install a build of the plugin for this version of Outrider and for Java %d or older."
                                .formatted(Runtime.version().feature()));
    }

    @Test
    void aPluginThatThrowsWhileItIsLookedAtIsNamed() throws IOException {
        EchoSources.jarWith(
                        "return SPI_VERSION;", "throw new IllegalStateException(\"no licence\");")
                .write(plugins.resolve("echo/echo.jar"));

        refused(
                "PLUGIN_FAILED: plugin 'echo' failed in spiVersion(): java.lang.IllegalStateException: no licence\n"
                        + "  Report it to its author; --debug shows where it happened.");
    }

    @Test
    void aConstructorThatThrowsIsNamed() throws IOException {
        EchoSources.jarWith(
                        "public int spiVersion",
                        "public EchoPlugin() { throw new IllegalStateException(\"no licence\"); } public int spiVersion")
                .write(plugins.resolve("echo/echo.jar"));

        refused(
                "PLUGIN_FAILED: plugin 'echo' failed in its constructor: java.lang.IllegalStateException: no licence\n"
                        + "  Report it to its author; --debug shows where it happened.");
    }

    @Test
    void aStaticInitialiserThatThrowsIsNamed() throws IOException {
        EchoSources.jarWith(
                        "public int spiVersion",
                        "static final int N = Integer.parseInt(\"many\"); public int spiVersion")
                .write(plugins.resolve("echo/echo.jar"));

        assertThatThrownBy(this::registry)
                .hasMessageStartingWith(
                        "PLUGIN_FAILED: plugin 'echo' failed in a static initialiser: java.lang.NumberFormatException");
    }

    @Test
    void nullForAListIsRefused() throws IOException {
        EchoSources.jarWith("return List.of(new EchoFactory());", "return null;")
                .write(plugins.resolve("echo/echo.jar"));

        refused(
                "PLUGIN_INVALID: plugin 'echo' returned null for the list of its drafters\n"
                        + "  Report it to the author of the plugin.");
    }

    @Test
    void aNameNobodyCouldWriteIsRefused() throws IOException {
        EchoSources.jarWith("\"echo\"", "\"Echo Drafter\"").write(plugins.resolve("echo/echo.jar"));

        refused(
                "PLUGIN_INVALID: plugin 'echo' names a drafter 'Echo Drafter', expected lower-case letters, digits and single hyphens\n"
                        + "  Correct acme.EchoFactory.name().");
    }

    @Test
    void aNameThatOutriderHasIsRefused() throws IOException {
        EchoSources.jarWith("\"echo\"", "\"small-model\"").write(plugins.resolve("echo/echo.jar"));

        refused(
                "PLUGIN_DUPLICATE: drafter 'small-model' is provided by both the class path"
                        + " (dev.outrider.drafter.smallmodel.SmallModelPlugin) and plugin 'echo' (acme.EchoPlugin)\n"
                        + "  Remove one of the two plugins, or rename its component.");
    }

    @Test
    void aNameThatAnotherPluginHasIsRefused() throws IOException {
        EchoSources.jar().write(plugins.resolve("a/echo.jar"));
        EchoSources.jar().write(plugins.resolve("b/echo.jar"));

        assertThatThrownBy(this::registry)
                .hasMessageStartingWith(
                        "PLUGIN_DUPLICATE: drafter 'echo' is provided by both plugin 'a' (acme.EchoPlugin) and plugin 'b' (acme.EchoPlugin)");
    }

    @Test
    void aFolderThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> LoadedFolder.open(plugins.resolve("gone"), host()))
                .hasMessage(
                        "PLUGIN_INVALID: there is no plugin folder '%s'\n  Give the folder that holds the plugin's jars, such as plugins/my-drafter."
                                .formatted(plugins.resolve("gone")));
    }

    private void refused(String message) {
        assertThatThrownBy(this::registry)
                .isInstanceOf(OutriderException.class)
                .hasMessage(message);
    }

    private PluginRegistry registry() {
        return PluginRegistry.load(host(), plugins);
    }

    private static ClassLoader host() {
        return PluginFoldersTest.class.getClassLoader();
    }

    private static SortedSet<String> drafters(PluginRegistry registry) {
        return registry.all(ComponentKind.DRAFTER).names();
    }

    private static Map<String, String> origins(PluginRegistry registry) {
        return registry.all(ComponentKind.DRAFTER).all().stream()
                .collect(Collectors.toMap(Installed::name, each -> each.plugin().origin()));
    }
}
