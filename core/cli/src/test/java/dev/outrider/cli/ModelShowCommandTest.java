package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelShowCommandTest {
    private static final Path MODEL = Shipped.ROOT.resolve("models/demo-target");

    private static final Path TINY = Shipped.ROOT.resolve("models/tiny-target");

    /// The model as the command describes it.
    private static JsonNode shown = MissingNode.getInstance();

    @TempDir private Path folder;

    @BeforeAll
    static void showTheModel() throws IOException {
        shown = shown(MODEL);
    }

    @Test
    void aModelIsDescribedFromItsFiles() throws IOException {
        var config = new ObjectMapper().readTree(MODEL.resolve("config.json").toFile());

        assertThat(shown.path("family").asText()).isEqualTo(config.path("model_type").asText());
        assertThat(shown.path("decoder").path("layers").asInt())
                .isEqualTo(config.path("num_hidden_layers").asInt());
        assertThat(shown.path("positions").asInt())
                .isEqualTo(config.path("max_position_embeddings").asInt());
        assertThat(shown.path("tokenizer").path("kind").asText()).isEqualTo("BPE");
        assertThat(shown.path("backEnds").path("vector").asText()).isEqualTo("runs");
        assertThat(shown.path("backEnds").path("tornado").asText()).isEqualTo("runs");
        assertThat(shown.path("advice").asText()).isNotEmpty();
    }

    @Test
    void theFormatsTogetherAreTheWeights() throws IOException {
        long bytes = 0;
        for (var format : shown.path("bytesByFormat")) {
            bytes += format.asLong();
        }

        assertThat(bytes)
                .isBetween(
                        shown.path("parameters").asLong(),
                        Files.size(MODEL.resolve("model.safetensors")));
    }

    @Test
    void fewerBitsTakeLessMemoryAndTime() {
        var lines = shown.path("precisions");

        assertThat(lines).hasSize(3);
        for (int line = 1; line < lines.size(); line++) {
            assertThat(lines.get(line).path("bytes").asLong())
                    .isLessThan(lines.get(line - 1).path("bytes").asLong());
            assertThat(lines.get(line).path("boundSeconds").asDouble())
                    .isPositive()
                    .isLessThan(lines.get(line - 1).path("boundSeconds").asDouble());
        }
    }

    @Test
    void peopleReadTheSame() {
        assertThat(Run.of("model", "show", MODEL.toString()).out())
                .contains("family                llama")
                .contains("vector: runs")
                .contains("(as in the files)")
                .contains("chat template ")
                .containsPattern("\\nadvice                .+\\n$");
    }

    @Test
    void whatIsMissingRefusesEveryBackEndByItsReason() throws IOException {
        copy("config.json", "tokenizer.json");
        var weights = Shipped.ROOT.resolve("models/tiny-target/model.safetensors");
        Files.copy(weights, folder.resolve("model.safetensors"));

        var shown = shown(folder);

        for (var answer : shown.path("backEnds")) {
            assertThat(answer.asText()).startsWith("refused, CHECKPOINT_");
        }
        assertThat(shown.has("precisions")).isFalse();
        assertThat(shown.has("advice")).isFalse();
    }

    @Test
    void aMissingTokenizerIsSaidAndTheRestIsShown() throws IOException {
        copy("config.json", "model.safetensors");

        var shown = shown(folder);

        assertThat(shown.path("tokenizer").asText()).startsWith("refused, TOKENIZER_MISSING");
        assertThat(shown.path("parameters").asLong()).isPositive();
    }

    @Test
    void aDrafterIsSaidToFitByWhatLoadsIt() throws IOException {
        var own = fits(TINY, "models/tiny-eagle3");
        assertThat(own.path("eagle3").asText()).isEqualTo("fits");
        assertThat(own.path("medusa").asText()).startsWith("refused, CHECKPOINT_");
        assertThat(own.path("small-model").asText()).startsWith("refused, ");

        var other = fits(MODEL, "models/tiny-eagle3");
        for (var answer : other) {
            assertThat(answer.asText()).startsWith("refused, ");
        }
    }

    @Test
    void aModelDraftsForWhoHasItsTokenizer() throws IOException {
        var own = fits(TINY, "models/tiny-draft");
        assertThat(own.path("small-model").asText()).isEqualTo("fits");
        assertThat(own.path("eagle").asText()).startsWith("refused, ");
        assertThat(fits(TINY, "models/tiny-ngram/table.safetensors").path("ngram").asText())
                .isEqualTo("fits");
    }

    private static JsonNode fits(Path model, String drafter) throws IOException {
        var path = Shipped.ROOT.resolve(drafter).toString();
        return new ObjectMapper()
                .readTree(
                        Run.of("model", "show", model.toString(), "--drafter", path, "--json")
                                .out())
                .path("drafters");
    }

    private void copy(String... files) throws IOException {
        for (var file : files) {
            Files.copy(MODEL.resolve(file), folder.resolve(file));
        }
    }

    private static JsonNode shown(Path model) throws IOException {
        var run = Run.of("model", "show", model.toString(), "--json");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        return new ObjectMapper().readTree(run.out());
    }
}
