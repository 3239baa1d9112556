package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    @TempDir Path folder;

    @Test
    void replacesTheContentAndLeavesNothingElse() throws IOException {
        var file = folder.resolve("new/deep/result.txt");
        AtomicFile.write(file, "one");
        AtomicFile.write(file, "two");

        assertThat(file).hasContent("two");
        assertThat(file.getParent()).isDirectoryContaining("glob:**result.txt");
        try (var files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void keepsTheOldContentWhenWritingFails() throws IOException {
        var file = folder.resolve("result.txt");
        AtomicFile.write(file, "old");

        assertThatThrownBy(() ->
                        AtomicFile.write(
                                file,
                                temporary -> {
                                    Files.writeString(temporary, "half");
                                    throw new IOException("disk full");
                                }))
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");
        assertThat(file).hasContent("old");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }
}
