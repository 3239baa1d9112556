package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests beam search on the shipped models.
class BeamSearchCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CONFIG = ROOT.resolve("configs/beam-search.yaml").toString();

    /// Every drafter that drafts from the text.
    private static final String EVERY_DRAFTER =
            """
            name: beams
            target: {use: vector, path: '%1$s/models/demo-target'}
            prompts: {file: '%1$s/configs/prompts/held-out.jsonl', limit: 3}
            maxTokens: 20
            warmup: 0
            repetitions: 1
            variants:
              - name: chain
                drafter: {use: small-model, path: '%1$s/models/demo-draft', length: 3}
                decoding: {beams: 4, nBest: 4, noRepeatNgram: 4, minTokens: 6, earlyStopping: never}
              - name: tree
                drafter: {use: small-model, path: '%1$s/models/demo-draft', tree: {topK: 3, depth: 4, totalNodes: 8}}
                decoding: {beams: 4, nBest: 4, noRepeatNgram: 4, minTokens: 6, earlyStopping: never}
              - name: lookup
                drafter: {use: prompt-lookup, minChance: 0}
                decoding: {beams: 4, nBest: 4, noRepeatNgram: 4, minTokens: 6, earlyStopping: never}
              - name: suffixes
                drafter: {use: suffix-automaton, branches: 3, minChance: 0}
                decoding: {beams: 4, nBest: 4, noRepeatNgram: 4, minTokens: 6, earlyStopping: never}
              - name: bigram
                drafter: {use: ngram, table: '%1$s/models/demo-ngram/table.safetensors', order: 2, length: 2}
                decoding: {beams: 4, nBest: 4, noRepeatNgram: 4, minTokens: 6, earlyStopping: never}
              - name: cascade
                drafter:
                  use: cascade
                  drafters:
                    - {use: prompt-lookup, minChance: 0.2}
                    - {use: small-model, path: '%1$s/models/demo-draft', length: 2}
                decoding: {beams: 4, nBest: 4, noRepeatNgram: 4, minTokens: 6, earlyStopping: never}
            """;

    @TempDir private Path folder;

    @Test
    void everyDraftersHypothesesAndScoresArePlainSearchsToTheLastBit() throws IOException {
        Path config = folder.resolve("beams.yaml");
        Files.writeString(config, EVERY_DRAFTER.formatted(ROOT).replace("", ""));
        var run = Run.of("bench", config.toString(), "--details", "--out", folder.toString());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("beam search, against plain search of the same settings");

        Path results = folder.resolve("beams/latest");
        Map<String, JsonNode> plain = new HashMap<>();
        var lines = Files.readAllLines(results.resolve("generations.jsonl"));
        for (var line : lines) {
            var generation = JSON.readTree(line);
            if (generation.get("variant").asText().equals("plain, beams 4")) {
                assertThat(generation.get("hypotheses")).hasSize(4);
                plain.put(generation.get("prompt").asText(), generation.get("hypotheses"));
            }
        }
        assertThat(plain).hasSize(3);
        for (var line : lines) {
            var generation = JSON.readTree(line);
            if (generation.get("variant").asText().equals("plain")) {
                assertThat(generation.get("hypotheses")).isEmpty();
            } else {
                assertThat(generation.get("hypotheses"))
                        .as(generation.get("variant").asText())
                        .isEqualTo(plain.get(generation.get("prompt").asText()));
            }
        }
        for (var variant : JSON.readTree(results.resolve("summary.json").toFile())) {
            if (variant.get("drafter").asText().equals("none")) {
                continue;
            }
            assertThat(variant.get("losslessness").asText()).isEqualTo("beam-equal");
            assertThat(variant.get("beams").asInt()).isEqualTo(4);
            boolean model = variant.get("drafter").asText().equals("small-model");
            assertThat(variant.get("passesSaved").asDouble()).isBetween(model ? 0.2 : 0, 0.9);
        }
        assertThat(Run.of("report", results.toString()).exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void generateShowsTheBestHypotheses() throws IOException {
        Path config = folder.resolve("beams.yaml");
        Files.writeString(config, EVERY_DRAFTER.formatted(ROOT));
        var run =
                Run.of(
                        "generate",
                        "--config",
                        config.toString(),
                        "--variant",
                        "tree",
                        "--prompt",
                        "Once upon a time",
                        "--max-tokens",
                        "12",
                        "--json");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        var json = JSON.readTree(run.out());
        assertThat(json.get("hypotheses")).hasSize(4);
        assertThat(json.get("hypotheses").get(0).get("ids")).isEqualTo(json.get("ids"));
        assertThat(json.get("rule").asText()).isEqualTo("beam-search");
    }

    @Test
    void theTraceShowsPassesAndThenTheHypotheses() {
        var run =
                Run.of(
                        "generate",
                        "--config",
                        CONFIG,
                        "--variant",
                        "prompt lookup, 2",
                        "--prompt",
                        "Once upon a time",
                        "--max-tokens",
                        "6",
                        "--trace");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.err()).contains("pass 0: ").contains("steps a pass");
        assertThat(run.out()).containsPattern("-\\d+\\.\\d{4} +\\S");
    }

    @Test
    void draftersThatReadMoreThanTheTextAreRefusedByName() throws IOException {
        Path config = folder.resolve("beams.yaml");
        for (var drafter :
                List.of(
                        "{use: medusa, path: '%s/models/demo-medusa', length: 3}".formatted(ROOT),
                        "{use: token-recycling, nodes: 8, depth: 4}",
                        "{use: jacobi}")) {
            Files.writeString(
                    config,
                    EVERY_DRAFTER.formatted(ROOT).replaceFirst("\\{use: small-model.*", drafter));
            var run = Run.of("bench", config.toString());

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err())
                    .startsWith("CAPABILITY_MISSING: variants[0] 'chain'")
                    .contains("drafter '" + drafter.replaceAll("\\{use: ([a-z-]+).*", "$1"))
                    .contains("cannot draft for beams");
        }
    }

    @Test
    void verifyExactnessComparesHypotheses() {
        var run =
                Run.of(
                        "verify-exactness",
                        "--config",
                        CONFIG,
                        "--set",
                        "prompts.limit=1",
                        "--set",
                        "maxTokens=12",
                        "--variant",
                        "prompt lookup, 2",
                        "--temperature",
                        "0",
                        "--time",
                        "1");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("beam-equal");
    }
}
