package dev.outrider.cli;

import static dev.outrider.cli.Shipped.generated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checkpoints in the shape of larger ones.
class ShapedModelsTest {
    private static final String PROMPT = "Once upon a time there was a";
    private static final int TOKENS = 64;

    @TempDir private static Path shapes;
    @TempDir private Path folder;

    @BeforeAll
    static void keepShapesHere() {
        System.setProperty("outrider.shapes", shapes.toString());
    }

    @AfterAll
    static void keepShapesWhereUsersDo() {
        System.clearProperty("outrider.shapes");
    }

    @ParameterizedTest
    @CsvSource({
        "small-model, tiny-draft",
        "eagle3, tiny-eagle3",
        "medusa, tiny-medusa",
        "dspark, tiny-dspark"
    })
    void aShapedPairWritesTheSameTokensAndAcceptsAsMany(String drafter, String model)
            throws IOException {
        compare(drafter, model);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({
        "pard, tiny-pard",
        "eagle, tiny-eagle1",
        "p-eagle, tiny-p-eagle",
        "hydra, tiny-hydra",
        "redrafter, tiny-redrafter",
        "mtp, tiny-mtp",
        "dflash, tiny-dflash"
    })
    void everyOtherShapedPairDoesSoToo(String drafter, String model) throws IOException {
        compare(drafter, model);
    }

    private void compare(String drafter, String model) throws IOException {
        var small = speculated("tiny-target", drafter, model);
        var shaped = speculated("tiny-target@stories15m", drafter, model + "@stories15m");

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

        assertThat(run.err())
                .contains("CONFIG_INVALID", "needs hidden size 257", "the shape has 64");
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

        assertThat(run.err())
                .contains("CONFIG_INVALID", "no shape 'tinylama-1.1b'", "tinyllama-1.1b");
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
