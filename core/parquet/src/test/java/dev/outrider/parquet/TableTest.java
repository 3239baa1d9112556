package dev.outrider.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableTest {
    private static final List<Column> COLUMNS =
            List.of(
                    new Column("number", Column.Type.INT),
                    new Column("nanos", Column.Type.LONG),
                    new Column("p", Column.Type.DOUBLE),
                    new Column("side", Column.Type.TEXT),
                    new Column("tokens", Column.Type.INTS));
    private static final List<Column> FLAT = COLUMNS.subList(0, 4);

    @TempDir private Path folder;

    private Path written(int rows) throws IOException {
        Path file = folder.resolve("table.parquet");
        try (var writer = new TableWriter(file, COLUMNS, Map.of("format", "1"))) {
            for (int i = 0; i < rows; i++) {
                writer.row(i, 1L << 40 | i, i / 7.0, "s" + i % 3, new int[i % 4]);
            }
        }
        return file;
    }

    @Test
    void whatWasWrittenIsRead() throws IOException {
        var table = Table.read(written(10_000), FLAT);

        assertThat(table.rows()).isEqualTo(10_000);
        assertThat(table.ints("number")[9_999]).isEqualTo(9_999);
        assertThat(table.longs("nanos")[5]).isEqualTo(1L << 40 | 5);
        assertThat(table.doubles("p")[9_999]).isEqualTo(9_999 / 7.0);
        assertThat(table.texts("side")[5_000]).isEqualTo("s2");
    }

    @Test
    void noRowsAreATableToo() throws IOException {
        assertThat(Table.read(written(0), FLAT).rows()).isZero();
    }

    @Test
    void aRowOfOtherTypesIsRefused() throws IOException {
        try (var writer = new TableWriter(folder.resolve("x"), FLAT, Map.of())) {
            assertThatThrownBy(() -> writer.row(1, 2, 3.0, "s"))
                    .hasMessage("column 'nanos' is of type LONG, got Integer");
        }
    }

    @Test
    void aColumnThatIsMissingOrOfAnotherTypeIsNamed() throws IOException {
        Path file = written(3);

        assertThatThrownBy(() -> Table.read(file, List.of(new Column("q", Column.Type.INT))))
                .isInstanceOf(IOException.class)
                .hasMessage("it has no column 'q'");
        assertThatThrownBy(() -> Table.read(file, List.of(new Column("p", Column.Type.INT))))
                .isInstanceOf(IOException.class)
                .hasMessage("its column 'p' is of type DOUBLE, expected required INT32");
    }

    /// Reading a file in which any byte was changed ends with rows or an [IOException].
    @Test
    void brokenFilesEndInAnIoException() throws IOException {
        byte[] whole = Files.readAllBytes(written(300));
        Path file = folder.resolve("broken.parquet");
        int refused = 0;
        for (int at = 0; at < whole.length; at += 37) {
            byte[] changed = whole.clone();
            changed[at] ^= 0x55;
            refused += readable(file, changed) ? 0 : 1;
            refused += readable(file, java.util.Arrays.copyOf(whole, at)) ? 0 : 1;
        }

        assertThat(refused).isGreaterThan(whole.length / 37);
    }

    private static boolean readable(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        try {
            Table.read(file, FLAT);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
