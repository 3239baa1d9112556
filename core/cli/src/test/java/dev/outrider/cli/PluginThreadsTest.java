package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.plugins.LoadedFolder;
import dev.outrider.engine.plugins.PluginContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the threads of a plugin from a real jar.
class PluginThreadsTest {
    @TempDir private Path plugins = Path.of("");

    @Test
    void aThreadThatAPluginStartedIsToldByItsPlugin() throws IOException {
        EchoSources.jarWith(
                        "return List.of(new EchoFactory());",
                        """
                        Thread.ofPlatform().daemon().name("echo-left").start(() -> {
                            try { new java.util.concurrent.CountDownLatch(1).await(); } catch (InterruptedException e) { return; }
                        });
                        return List.of(new EchoFactory());\
                        """)
                .write(plugins.resolve("echo/echo.jar"));
        try (var loaded = LoadedFolder.open(plugins.resolve("echo"), getClass().getClassLoader())) {
            var plugin = loaded.installed().plugin();
            try {
                PluginContext.during(plugin, plugin::drafters);

                assertThat(PluginContext.threads()).contains("echo-left of plugin-echo");
                assertThat(Thread.currentThread().getContextClassLoader())
                        .isNotEqualTo(plugin.getClass().getClassLoader());
            } finally {
                end("echo-left");
            }
        }
        assertThat(PluginContext.threads()).doesNotContain("echo-left of plugin-echo");
    }

    /// Ends the threads of this name, which wait for an interrupt.
    static void end(String name) {
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .forEach(thread -> {
                    thread.interrupt();
                    try {
                        assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }
}
