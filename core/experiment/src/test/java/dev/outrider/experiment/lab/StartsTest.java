package dev.outrider.experiment.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.parquet.Column;
import dev.outrider.parquet.Column.Type;
import dev.outrider.parquet.TableWriter;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What generations took beside their rounds, read from a run's own columns.
final class StartsTest {
    private static final List<Column> TURN =
            List.of(
                    new Column("variant", Type.TEXT),
                    new Column("prompt", Type.TEXT),
                    new Column("repetition", Type.INT));

    @TempDir private Path folder;

    private final List<Object[]> generations = new ArrayList<>();
    private final List<Object[]> rounds = new ArrayList<>();

    /// Rounds of 10 in stages of 5, 4, 1 and nothing.
    private void generation(String variant, int repetition, long wall, int count, long slowness) {
        generations.add(new Object[] {variant, "p", repetition, wall});
        for (int i = 0; i < count; i++) {
            rounds.add(
                    new Object[] {
                        variant, "p", repetition, 5 * slowness, 4 * slowness, slowness, 0L, 0L, 0L
                    });
        }
    }

    private Starts read() throws IOException {
        write("generations.parquet", Stream.of(new Column("wall_nanos", Type.LONG)), generations);
        write(
                "rounds.parquet",
                Stream.of("draft", "score", "decide", "commit", "observe", "rest")
                        .map(stage -> new Column(stage + "_nanos", Type.LONG)),
                rounds);
        return Starts.read(folder, Map.of("drawn", "plain"));
    }

    private void write(String name, Stream<Column> more, List<Object[]> rows) throws IOException {
        try (var table =
                new TableWriter(
                        folder.resolve(name),
                        Stream.concat(TURN.stream(), more).toList(),
                        Map.of())) {
            for (var row : rows) {
                table.row(row);
            }
        }
    }

    /// The second repetition is twice as slow, plain decoding as well.
    @Test
    void areInRoundsOfPlainDecodingBesideThem() throws IOException {
        generation("plain", 0, 40 * 10 + 70, 40, 1);
        generation("drawn", 0, 9 * 30 + 90, 9, 3);
        generation("plain", 1, 40 * 20 + 140, 40, 2);
        generation("drawn", 1, 9 * 60 + 180, 9, 6);
        // Without plain decoding beside it nothing follows.
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
                        "DATA_INVALID: '%s': row 1 has -1 nanoseconds%n  Run the comparison again with --record."
                                .formatted(folder.resolve("generations.parquet")));
    }
}
