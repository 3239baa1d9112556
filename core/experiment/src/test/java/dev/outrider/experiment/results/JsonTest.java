package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonTest {
    @Test
    void halfASurrogatePairSurvivesAsAnEscape() {
        var texts = List.of("a\ud800b", "\udc00", "whole \ud83e\udd81");

        String line = Json.line(texts);

        assertThat(line).isEqualTo("[\"a\\ud800b\",\"\\udc00\",\"whole \ud83e\udd81\"]");
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(line)).isTrue();
        assertThat(Json.tree(line).get(0).asText()).isEqualTo(texts.getFirst());
    }
}
