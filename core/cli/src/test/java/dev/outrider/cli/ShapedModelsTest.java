package dev.outrider.cli;

import static dev.outrider.cli.Shipped.generated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checkpoints in the shape of larger ones.
class ShapedModelsTest {
    private static final String PROMPT = "Once upon a time there was a";
    private static final int TOKENS = 64;

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "small-model, tiny-draft, stories15m",
        "pard, tiny-pard, stories15m",
        "eagle, tiny-eagle1, stories15m",
        "eagle3, tiny-eagle3, stories15m",
        "p-eagle, tiny-p-eagle, stories15m",
        "medusa, tiny-medusa, stories15m",
        "hydra, tiny-hydra, stories15m",
        "redrafter, tiny-redrafter, stories15m",
        "mtp, tiny-mtp, stories15m",
        "dflash, tiny-dflash, stories15m",
        "dspark, tiny-dspark, stories15m"
    })
    void aShapedPairWritesTheSameTokensAndAcceptsAsMany(String drafter, String model, String shape)
            throws IOException {
        var small = speculated("tiny-target", drafter, model);
        var shaped = speculated("tiny-target@" + shape, drafter, model + "@" + shape);

        assertThat(shaped.get("ids")).isEqualTo(small.get("ids"));
        assertThat(shaped.at("/metrics/accepted").asInt())
                .isCloseTo(small.at("/metrics/accepted").asInt(), within(4));
        assertThat(small.at("/metrics/accepted").asInt()).isGreaterThan(4);
    }

    @Test
    void aModelThatDoesNotFitIsRefused() throws IOException {
        var run =
                Run.of(
                        "generate",
                        "--model",
                        model("demo-target@stories260k").toString(),
                        "--prompt",
                        PROMPT);

        assertThat(run.err()).contains("CONFIG_INVALID", "needs hidden size 257", "the shape has 64");
    }

    @Test
    void anUnknownShapeIsRefusedWithTheNearest() {
        var run =
                Run.of(
                        "generate",
                        "--model",
                        model("demo-target@tinylama-1.1b").toString(),
                        "--prompt",
                        PROMPT);

        assertThat(run.err()).contains("CONFIG_INVALID", "no shape 'tinylama-1.1b'", "tinyllama-1.1b");
    }

    private JsonNode speculated(String target, String drafter, String model) throws IOException {
        var config =
                Files.writeString(
                        folder.resolve("config.yaml"),
                        """
                        name: shaped
                        target: {use: vector, path: '%s', precision: f32}
                        sampling: {temperature: 0}
                        variants:
                          - {name: drafts, drafter: {use: %s, path: '%s', length: 3}}
                        """
                                .formatted(model(target), drafter, model(model)));
        return generated(TOKENS, "--config", config.toString(), "--prompt", PROMPT);
    }

    private static Path model(String name) {
        return Shipped.ROOT.resolve("models").resolve(name).toAbsolutePath().normalize();
    }
}
