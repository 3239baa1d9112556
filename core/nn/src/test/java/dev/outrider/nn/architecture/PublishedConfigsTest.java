package dev.outrider.nn.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.network.Weight;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Configurations with the keys and sizes of much used models, quantised ones among them: other engines run them, so none may be
/// refused, and the parameters that their sizes give must be those of the published files (10^9, in four digits; of the text part,
/// and without a second copy of a tied head).
class PublishedConfigsTest extends ConfigFiles {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static Stream<Arguments> published() throws IOException {
        return lines("/published/configs.jsonl");
    }

    /// Heads of EAGLE-3, P-EAGLE, DFlash, DSpark and Domino for 26 targets, as SpecForge trains them.
    static Stream<Arguments> heads() throws IOException {
        return lines("/published/heads.jsonl");
    }

    private static Stream<Arguments> lines(String file) throws IOException {
        try (var in =
                Objects.requireNonNull(PublishedConfigsTest.class.getResourceAsStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().map(PublishedConfigsTest::model).toList().stream();
        }
    }

    private static Arguments model(String line) {
        try {
            var model = MAPPER.readTree(line);
            return Arguments.of(
                    Named.of(model.path("name").asText(), model.path("config").toString()),
                    model.path("billions").doubleValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("published")
    void isReadWithAllItsParameters(String config, double billions) throws IOException {
        assertThat(Weight.parameters(read(config).decoder()) / 1e9)
                .isCloseTo(billions, within(Math.max(6e-4, billions * 5e-5)));
    }

    /// A head's configuration describes its layers; its reader checks the other keys.
    @ParameterizedTest
    @MethodSource("heads")
    void headsHaveTheirLayersAndWindows(String config) throws IOException {
        var given = MAPPER.readTree(config);
        var decoder = read(config).decoder();
        assertThat(decoder.layers()).isEqualTo(given.path("num_hidden_layers").intValue());
        assertThat(decoder.hiddenSize()).isEqualTo(given.path("hidden_size").intValue());
        boolean windows = given.path("use_sliding_window").booleanValue();
        for (int layer = 0; layer < decoder.layers(); layer++) {
            var kind = given.path("layer_types").path(layer).asText();
            var window =
                    windows && kind.equals("sliding_attention")
                            ? OptionalInt.of(given.path("sliding_window").intValue())
                            : OptionalInt.empty();
            assertThat(decoder.window(layer)).isEqualTo(window);
        }
    }
}
