package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process of `outrider data regenerate` that is killed, as by `kill -9`.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class KilledRegenerationTest {
    @TempDir private Path folder;

    @Test
    @Tag("nightly")
    void answersAreByteForByteThoseOfARunThatWasNotKilled() throws Exception {
        Files.writeString(
                folder.resolve("experiment.yaml"),
                """
                name: answers
                target: {use: vector, path: '%1$s/tiny-target'}
                sampling: {temperature: 1}
                maxTokens: 8
                seed: 5
                batch: 2
                variants:
                  - name: small
                    drafter: {use: small-model, path: '%1$s/tiny-draft'}
                """
                        .formatted(Shipped.ROOT.resolve("models").toAbsolutePath()));
        Files.write(
                folder.resolve("questions.jsonl"),
                IntStream.range(0, 24)
                        .mapToObj(i ->
                                "{\"prompt\": \"Calculate: %d + %d\\nWorking:\"}"
                                        .formatted(i, 2 * i))
                        .toList());
        finish("whole");

        killAfter("8 answers", "killed");

        var whole = Files.readAllBytes(folder.resolve("whole/answers.jsonl"));
        var partial = Files.readAllBytes(folder.resolve("killed/answers.jsonl"));
        assertThat(partial.length).isBetween(1, whole.length - 1);
        finish("killed");
        assertThat(folder.resolve("killed/answers.jsonl")).hasBinaryContent(whole);
        assertThat(folder.resolve("killed/regeneration.json"))
                .hasSameBinaryContentAs(folder.resolve("whole/regeneration.json"));
    }

    private void finish(String name) {
        var run = Run.of(arguments(name).toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    }

    private List<String> arguments(String name) {
        return List.of(
                "data",
                "regenerate",
                folder.resolve("experiment.yaml").toString(),
                "--from",
                folder.resolve("questions.jsonl").toString(),
                "--out",
                folder.resolve(name).toString(),
                "--variant",
                "small");
    }

    private void killAfter(String line, String name) throws IOException, InterruptedException {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--add-modules=jdk.incubator.vector",
                                "-Doutrider.root=" + System.getProperty("outrider.root"),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(arguments(name));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new ArrayList<String>();
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var next = reader.readLine(); next != null; next = reader.readLine()) {
                said.add(next);
                if (next.equals(line)) {
                    process.destroyForcibly();
                    break;
                }
            }
        }
        assertThat(process.waitFor()).as("killed before its end: %s", said).isEqualTo(137);
    }
}
