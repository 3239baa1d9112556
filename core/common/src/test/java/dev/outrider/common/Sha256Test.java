package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Sha256Test {
    /// FIPS 180-4's example.
    private static final String OF_ABC =
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir Path folder;

    @Test
    void isTheHashOfAllThatWasAdded() throws IOException {
        var file = Files.writeString(folder.resolve("b"), "b");

        assertThat(Sha256.of("abc").hex()).isEqualTo(OF_ABC);
        assertThat(Sha256.of("a").add(file).add(ByteBuffer.wrap(new byte[] {'c'})).hex())
                .isEqualTo(OF_ABC);
        assertThat(Sha256.of("abc").bytes()).hasSize(32).startsWith(0xba, 0x78);
    }
}
