package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTest {
    @Test
    void halfASurrogatePairSurvivesAsAnEscape() {
        var texts = List.of("a\ud800b", "\udc00", "whole \ud83e\udd81");

        String line = Json.line(texts);

        assertThat(line).isEqualTo("[\"a\\ud800b\",\"\\udc00\",\"whole \ud83e\udd81\"]");
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(line)).isTrue();
        assertThat(Json.tree(line).get(0).asText()).isEqualTo(texts.getFirst());
    }

    record Lists(List<String> names, Map<String, Integer> counts) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"names\": [\"a\", null], \"counts\": {}}",
                "{\"names\": [], \"counts\": {\"a\": null}}"
            })
    void nullInAListOrAMapIsRefused(String text, @TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("lists.json"), text);

        assertThatThrownBy(() -> Json.object(file, Lists.class))
                .hasMessageStartingWith("DATA_INVALID: '" + file + "' cannot be read as results");
    }
}
