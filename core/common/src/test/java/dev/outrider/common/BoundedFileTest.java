package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundedFileTest {
    @TempDir Path folder;

    @Test
    void readsAFileOfTheLengthThatIsAllowed() throws IOException {
        var file = Files.writeString(folder.resolve("text"), "löwe");

        assertThat(BoundedFile.text(file, 5)).isEqualTo("löwe");
        assertReason(() -> BoundedFile.text(file, 4), "it has more than 4 bytes");
    }

    @Test
    void refusesWhatIsNoFile() throws IOException {
        assertReason(() -> BoundedFile.bytes(folder, 4), "it is not a regular file");
        assertReason(() -> BoundedFile.bytes(folder.resolve("none"), 4), "there is no such file");
        var binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xFF});
        assertReason(() -> BoundedFile.text(binary, 4), "it is not UTF-8 text");
    }

    @Test
    void refusesADeviceThatNeverEnds() {
        var endless = Path.of("/dev/zero");
        assumeTrue(Files.exists(endless), "no /dev/zero on this system");

        assertReason(() -> BoundedFile.bytes(endless, 4), "it is not a regular file");
    }

    private static void assertReason(ThrowingCallable reading, String reason) {
        assertThatThrownBy(reading)
                .isInstanceOfSatisfying(
                        IOException.class, e -> assertThat(FailureReason.of(e)).isEqualTo(reason));
    }
}
