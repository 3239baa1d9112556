package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTextTest {
    record One(@Doc("A text.") String text) {}

    @ParameterizedTest
    @ValueSource(strings = {"plain", "", "it's", "''", "a: b # c", "\\n", "12"})
    void aQuotedTextReadsBackToItself(String text) {
        var loaded =
                new ConfigLoader(ComponentRegistry.empty(), Path.of("/here"), RemotePaths.none())
                        .parse(
                                "text: " + YamlText.quoted(text),
                                "demo.yaml",
                                Path.of("/configs"),
                                One.class,
                                List.of());

        assertThat(loaded.config().text()).isEqualTo(text);
    }
}
