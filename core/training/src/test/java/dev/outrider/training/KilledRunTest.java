package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests a process that trains and is killed, as by `kill -9`.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class KilledRunTest {
    @TempDir Path folder;

    @Test
    void aRunThatIsKilledAndResumedEndsBitForBitAsOneThatIsNot() throws Exception {
        var whole = folder.resolve("whole");
        var result =
                new Trainer(() -> 0)
                        .train(KilledRun.plan(whole), _ -> {}, () -> false)
                        .orElseThrow();
        var killed = folder.resolve("killed");

        // Step 30 comes after a validation, checkpoint 28 before it.
        runUntil(killed, 33);
        assertThat(killed.resolve("checkpoint.safetensors")).exists();
        assertThat(killed.resolve("model.safetensors")).doesNotExist();
        var resumed =
                new Trainer(() -> 0)
                        .train(KilledRun.plan(killed), _ -> {}, () -> false)
                        .orElseThrow();

        assertThat(resumed).isEqualTo(result);
        for (var file : new String[] {"model.safetensors", "config.json"}) {
            assertThat(killed.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
        }
        assertThat(curve(killed)).isEqualTo(curve(whole));
        try (var files = Files.list(killed)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "config.json",
                            "loss-curve.jsonl",
                            "model.safetensors",
                            "training.json");
        }
    }

    private static void runUntil(Path out, int step) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--add-modules=jdk.incubator.vector",
                                "-cp",
                                System.getProperty("java.class.path"),
                                KilledRun.class.getName(),
                                out.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.equals(Integer.toString(step))) {
                    process.destroyForcibly();
                    break;
                }
            }
        }
        assertThat(process.waitFor()).as("killed before its end").isNotZero();
    }

    /// Returns the loss curve, which contains no measured times.
    private static String curve(Path run) throws IOException {
        return Files.readString(run.resolve("loss-curve.jsonl"));
    }
}
