package dev.outrider.experiment.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The time of generations outside their rounds, read from a run's own columns.
final class StartsTest {
    @TempDir private Path folder;

    private final StringBuilder generations = new StringBuilder();
    private final StringBuilder rounds = new StringBuilder();

    /// Rounds of 10 in stages of 5, 4, 1 and nothing.
    private void generation(String variant, int repetition, long wall, int count, long slowness) {
        generations.append(
                """
                {"variant": "%s", "prompt": "p", "digest": "d", "source": null, "kind": "text", "repetition": %d, "tokens": 1, "ids": [5], "wallNanos": %d, "hypotheses": []}
                """
                        .formatted(variant, repetition, wall));
        for (int i = 0; i < count; i++) {
            rounds.append(
                    """
                    {"variant": "%s", "prompt": "p", "repetition": %d, "round": {"nodes": 0, "depth": 0, "accepted": 0, "emitted": 1, "times": {"draft": %d, "score": %d, "decide": %d, "commit": 0, "observe": 0, "rest": 0}}}
                    """
                            .formatted(variant, repetition, 5 * slowness, 4 * slowness, slowness));
        }
    }

    private Starts read() throws IOException {
        Files.writeString(folder.resolve("generations.jsonl"), generations);
        Files.writeString(folder.resolve("rounds.jsonl"), rounds);
        return Starts.read(folder, Map.of("drawn", "plain"));
    }

    /// The second repetition is twice as slow, plain decoding as well.
    @Test
    void areInRoundsOfPlainDecodingBesideThem() throws IOException {
        generation("plain", 0, 40 * 10 + 70, 40, 1);
        generation("drawn", 0, 9 * 30 + 90, 9, 3);
        generation("plain", 1, 40 * 20 + 140, 40, 2);
        generation("drawn", 1, 9 * 60 + 180, 9, 6);
        // Without plain decoding there is no unit, so there is no start.
        generation("drawn", 2, 1 << 20, 9, 6);

        var starts = read();

        assertThat(starts.of("plain", "p")).isCloseTo(7, within(1e-9));
        assertThat(starts.of("drawn", "p")).isCloseTo(9, within(1e-9));
        assertThat(starts.of("drawn", "another")).isZero();
    }

    @Test
    void timesThatNoRunWritesAreRefused() throws IOException {
        generation("plain", 0, -1, 2, 1);

        assertThatThrownBy(this::read)
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "DATA_INVALID: '%s' has a time of -1 nanoseconds, expected 0 to %d%n  Run the comparison again with --record."
                                .formatted(folder, 1L << 52));
    }
}
