package dev.outrider.engine.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PluginCallsTest {
    @Test
    void anErrorIsReportedAsThePluginsFailure() {
        assertThatThrownBy(
                        () -> PluginCalls.call("plugin 'x'", "create", failing(new Error("own"))))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "PLUGIN_FAILED: plugin 'x' failed in create: java.lang.Error: own\n");
        assertThatThrownBy(() ->
                        PluginCalls.promptly(
                                "plugin 'x'", "create", failing(new InternalError("own"))))
                .hasMessageStartingWith(
                        "PLUGIN_FAILED: plugin 'x' failed in create: java.lang.InternalError: own\n");
    }

    @Test
    void aCallThatDoesNotEndIsLeft() {
        var never = new CountDownLatch(1);
        Supplier<String> waiting =
                () -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return "late";
                };
        try {
            assertThatThrownBy(() ->
                            PluginCalls.promptly(
                                    "plugin 'x'",
                                    "its constructor",
                                    waiting,
                                    Duration.ofMillis(20)))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            "PLUGIN_FAILED: plugin 'x' did not answer within 0.02 s in its constructor: it or a static initialiser hangs\n"
                                    + "  Remove the plugin, and report it to its author.");
        } finally {
            never.countDown();
        }
        assertThat(PluginCalls.<String>promptly("plugin 'x'", "name()", () -> "x")).isEqualTo("x");
    }

    private static Supplier<String> failing(Error error) {
        return () -> {
            throw error;
        };
    }
}
