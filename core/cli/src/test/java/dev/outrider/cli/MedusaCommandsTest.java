package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the commands about Medusa heads, on the shipped heads.
class MedusaCommandsTest {
    private static final String CONFIG = Shipped.config("medusa.yaml");
    private static final int TOKENS = 48;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path folder;

    /// This is also a lower limit: the target would accept almost nothing from heads that are shifted by one token.
    @ParameterizedTest
    @ValueSource(strings = {"chain of 4", "tree 3-2-1"})
    void theShippedHeadsSaveRoundsAndChangeNothing(String variant) throws IOException {
        var plain = generated("plain").get("ids");
        var drafted = generated(variant);

        assertThat(drafted.get("ids")).isEqualTo(plain);
        assertThat(plain).hasSize(TOKENS);
        assertThat(drafted.get("metrics").get("rounds").asInt()).isLessThan(TOKENS * 2 / 3);
    }

    @Test
    void trainsHeadsThatDraftAtOnce() {
        var out = folder.resolve("heads");
        var run =
                Shipped.trained(
                        "medusa",
                        "training/medusa.yaml",
                        "out=" + out,
                        "heads.count=2",
                        "heads.projection=target");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith(out + ": 2 steps, 32 tokens, loss ")
                .contains(", accuracyHead0 ", ", accuracyHead1 ");
        var drafted =
                Run.of(
                        "generate",
                        "--config",
                        CONFIG,
                        "--variant",
                        "chain of 2",
                        "--shape",
                        "none",
                        "--set",
                        "variants[0].drafter.path=" + out,
                        "--prompt",
                        "The",
                        "--max-tokens",
                        "4");
        assertThat(drafted.exitCode()).as(drafted.err()).isEqualTo(ExitCode.OK);
    }

    /// Otherwise training would read a row that the target does not have.
    @Test
    void aTextWithATokenThatTheTargetLacksIsRefused() throws IOException {
        var target = Files.createDirectories(folder.resolve("target"));
        var shipped = Path.of(Shipped.TINY_TARGET);
        for (var file : List.of("config.json", "model.safetensors")) {
            Files.copy(shipped.resolve(file), target.resolve(file));
        }
        var tokenizer = (ObjectNode) JSON.readTree(shipped.resolve("tokenizer.json").toFile());
        var more = tokenizer.withArray("added_tokens");
        more.add(((ObjectNode) more.get(0).deepCopy()).put("id", 512).put("content", "<|more|>"));
        JSON.writeValue(target.resolve("tokenizer.json").toFile(), tokenizer);
        var texts =
                Files.write(
                        folder.resolve("texts.jsonl"),
                        IntStream.range(0, 20)
                                .mapToObj("{\"text\": \"Text %d of <|more|>\"}"::formatted)
                                .toList());

        var run =
                Shipped.trained(
                        "medusa",
                        "training/medusa.yaml",
                        "out=" + folder.resolve("heads"),
                        "target=" + target,
                        "data={sources: [{files: ['%s']}], validation: 0.5}".formatted(texts));

        assertThat(run.err())
                .startsWith(
                        "TOKEN_OUT_OF_RANGE: the text has the added token '<|more|>' with the id 512");
    }

    private static JsonNode generated(String variant) throws IOException {
        return Shipped.generated(
                TOKENS,
                "--prompt",
                "Question: what is 3 + 4?",
                "--config",
                CONFIG,
                "--variant",
                variant);
    }
}
