package dev.outrider.demo.corpus.prose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RCharacterVectorsTest {
    private static final int COUNT_AT = 27;

    @TempDir private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = folder.resolve("Rdata.rdb");
    }

    @Test
    void vectorsFollowOneAnother() throws IOException {
        byte[] first = Files.readAllBytes(Packages.rdb(file, List.of("\u00a35", "")));
        byte[] second = Files.readAllBytes(Packages.rdb(file, List.of("b")));
        Files.write(
                file,
                ByteBuffer.allocate(first.length + second.length).put(first).put(second).array());

        assertThat(RCharacterVectors.read(file))
                .containsExactly(List.of("\u00a35", ""), List.of("b"));
    }

    @Test
    void everyShorterFileIsRefused() throws IOException {
        byte[] whole = Files.readAllBytes(Packages.rdb(file, List.of("Emma", "Woodhouse")));
        for (int length = 1; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> RCharacterVectors.read(file))
                    .as("%d bytes", length)
                    .isInstanceOf(FileSystemException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 65, not in R's XDR form",
        "5, 9, neither version 2 nor 3",
        "14, 127, longer than its value",
        "26, 19, no plain character vector",
        "27, 127, more strings than bytes",
        "27, -1, more strings than bytes",
        "34, 16, more than strings",
        "35, 127, longer than its value",
        "35, -1, longer than its value"
    })
    void aValueThatIsSomethingElseIsRefused(int at, byte instead, String reason)
            throws IOException {
        byte[] value = value();
        value[at] = instead;
        Packages.bytes(file, Packages.stored(value));

        assertThatThrownBy(() -> RCharacterVectors.read(file)).hasMessageContaining(reason);
    }

    @Test
    void theUnchangedValueIsRead() throws IOException {
        Packages.bytes(file, Packages.stored(value()));

        assertThat(RCharacterVectors.read(file)).containsExactly(List.of("Emma"));
    }

    @Test
    void aValueOfAnotherLengthThanItSaysIsRefused() throws IOException {
        for (int length : new int[] {-1, 3, 100, Integer.MAX_VALUE}) {
            byte[] stored = Packages.stored(value());
            ByteBuffer.wrap(stored).putInt(length);
            Packages.bytes(file, stored);
            assertThatThrownBy(() -> RCharacterVectors.read(file))
                    .isInstanceOf(FileSystemException.class);
        }
    }

    private static byte[] value() {
        var value = ByteBuffer.allocate(COUNT_AT + 16);
        value.put("X\n".getBytes(StandardCharsets.US_ASCII)).putInt(3).putLong(0).putInt(5);
        value.put("UTF-8".getBytes(StandardCharsets.US_ASCII)).putInt(16).putInt(1);
        value.putInt(9).putInt(4).put("Emma".getBytes(StandardCharsets.US_ASCII));
        return value.array();
    }
}
