package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessLockTest {
    @TempDir Path folder;

    @Test
    void isHeldByOneAtATimeAndThenByTheNext() throws IOException {
        var file = folder.resolve("deep/er/lock");
        try (var first = ProcessLock.tryTake(file).orElseThrow()) {
            assertThat(ProcessLock.tryTake(file)).isEmpty();
            assertThat(ProcessLock.tryTake(folder.resolve("other"))).isPresent();
            first.close();
            assertThat(file).exists();
        }
        try (var next = ProcessLock.tryTake(file).orElseThrow()) {
            assertThat(next).isNotNull();
        }
    }
}
