package dev.outrider.demo.corpus.prose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompressedWindowsTest {
    private static final String TEXT =
            "In the beginning God created the heaven and the earth.\n".repeat(5);

    @TempDir private Path folder;

    @Test
    void windowsAreJoined() throws IOException {
        assertThat(CompressedWindows.read(bible(TEXT))).isEqualTo(TEXT);
    }

    @Test
    void aRepetitionIsWrittenOut() throws IOException {
        // 'a', then the code of "aa", which `compress` defines while it is written.
        byte[] file = Files.readAllBytes(bible("aaa"));
        int start = file.length - Math.ceilDiv(3 * 9, 8);
        Arrays.fill(file, start, file.length, (byte) 0);
        file[start] = 'a';
        file[start + 1] = 257 << 1 & 0xff;
        file[start + 2] = 257 >> 7;

        assertThat(CompressedWindows.read(Packages.bytes(folder.resolve("file"), file)))
                .startsWith("aaa");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, does not begin",
        "84, 0, 5 windows of 0 bytes",
        "84, 2000000, 5 windows of 2000000 bytes",
        "88, 0, 0 windows",
        "88, 100000, 100000 windows",
        "92, 0, window 0 does not lie in the file",
        "96, 1, window 0 does not lie in the file",
        "96, 99999, window 0 does not lie in the file",
        "84, 63, more than 63 bytes",
        "84, 65, window 0 has 64 bytes instead of 65"
    })
    void aFileThatIsSomethingElseIsRefused(int at, int instead, String reason) throws IOException {
        byte[] file = Files.readAllBytes(bible(TEXT));
        ByteBuffer.wrap(file).putInt(at, instead);
        var changed = Packages.bytes(folder.resolve("file"), file);

        assertThatThrownBy(() -> CompressedWindows.read(changed))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aShorterFileIsRefused() throws IOException {
        byte[] whole = Files.readAllBytes(bible(TEXT));
        for (int length = 0; length < whole.length; length += 7) {
            var file = Packages.bytes(folder.resolve("file"), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> CompressedWindows.read(file)).isInstanceOf(IOException.class);
        }
    }

    private Path bible(String text) throws IOException {
        return Packages.bible(folder.resolve("bible.data"), text);
    }
}
