package dev.outrider.embedding;

import static dev.outrider.embedding.DemoModels.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.sampling.SamplingPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The README's program equals the example, is short, and runs in the root of the checkout.
class ReadmeProgramTest {
    private static final Pattern BLOCK =
            Pattern.compile("```(java|xml)\\n(.*?)```", Pattern.DOTALL);

    private static String block(String language) throws IOException {
        return BLOCK.matcher(Files.readString(ROOT.resolve("README.md")))
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void isTheExamplesInUnder15Lines() throws IOException {
        assertThat(block("java"))
                .isEqualTo(
                        Files.readString(
                                ROOT.resolve("examples/embedding/src/main/java/Story.java")));
        assertThat(block("java").lines()).hasSizeLessThan(15);
    }

    @Test
    void needsTheDependenciesOfTheExample() throws IOException {
        var example = Files.readString(ROOT.resolve("examples/embedding/pom.xml"));

        assertThat(example.replaceAll("\\s+", ""))
                .contains(
                        block("xml")
                                .replace("0.1.0-SNAPSHOT", "${outrider.version}")
                                .replaceAll("\\s+", ""));
    }

    @Test
    void runs(@TempDir Path folder) throws IOException, InterruptedException {
        var program = Files.writeString(folder.resolve("Story.java"), block("java"));
        var errors = folder.resolve("errors.txt");
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "--add-modules",
                                "jdk.incubator.vector",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                program.toString())
                        .directory(ROOT.toFile())
                        .redirectError(errors.toFile())
                        .start();
        var written = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
        assertThat(written).isEqualTo(story());
    }

    /// Returns the expected output; the seed determines all randomness.
    private static String story() {
        try (var generator =
                DemoModels.drafting()
                        .rule("token")
                        .sampling(SamplingPolicy.atTemperature(0.7))
                        .open()) {
            return generator.generate("Once upon a time", 64).text();
        }
    }
}
