package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests commands on an encoder-decoder.
class SourceCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TEXT = "The fox saw the hen.";

    /// The drafters that need no training of their own for the target.
    private static final String EVERY_DRAFTER =
            """
            name: sources
            target: {use: vector, path: '%1$s'}
            prompts: {file: '%4$s'}
            maxTokens: 16
            ignoreEndOfSequence: true
            warmup: 0
            repetitions: 1
            exactnessTestSeconds: 1
            variants:
              - name: encoder-decoder
                drafter: {use: small-model, path: '%2$s', length: 3}
              - name: encoder-decoder, tree
                drafter: {use: small-model, path: '%2$s', tree: {widths: [2, 1]}}
              - name: itself
                drafter: {use: small-model, path: '%1$s', length: 3}
              - name: decoder alone
                drafter: {use: small-model, path: '%3$s/models/demo-draft', length: 2}
              - name: lookup
                drafter: {use: prompt-lookup, minChance: 0}
              - name: suffixes
                drafter: {use: suffix-automaton, branches: 3, minChance: 0}
              - name: recycling
                drafter: token-recycling
              - name: n-grams
                drafter: adaptive-ngram
              - name: lookahead
                drafter: {use: lookahead, window: 3, level: 3, guesses: 3}
              - name: jacobi
                drafter: {use: jacobi, length: 3}
              - name: bigram
                drafter: {use: ngram, table: '%3$s/models/demo-ngram/table.safetensors', order: 2, length: 2}
              - name: cascade
                drafter:
                  use: cascade
                  drafters:
                    - {use: prompt-lookup, minChance: 0.2}
                    - {use: small-model, path: '%2$s', length: 2}
              - name: beams
                drafter: {use: small-model, path: '%2$s', length: 3}
                decoding: {beams: 3, nBest: 3}
              - name: warm
                sampling: {temperature: 1, topK: 8}
                drafter: {use: small-model, path: '%2$s', length: 2}
            """;

    @TempDir private static Path models;
    private static String target = "";
    private static String draft = "";

    @TempDir private Path folder;

    @BeforeAll
    static void write() throws IOException {
        target = T5Files.write(models.resolve("target"), 2).toString();
        draft = T5Files.write(models.resolve("draft"), 1).toString();
    }

    @Test
    void anEncoderDecoderReadsWhatItIsGiven() throws IOException {
        var asPrompt = generated("--prompt", TEXT);
        var asSource = generated("--source", TEXT);
        Path file = Files.writeString(folder.resolve("source.txt"), TEXT);

        assertThat(asPrompt.get("promptIds")).hasSize(1);
        assertThat(asPrompt.get("sourceIds").size()).isGreaterThan(3);
        assertThat(asPrompt.get("ids")).hasSize(8);
        assertThat(asSource.get("sourceIds")).isEqualTo(asPrompt.get("sourceIds"));
        assertThat(asSource.get("ids")).isEqualTo(asPrompt.get("ids"));
        assertThat(generated("--source-file", file.toString()).get("ids"))
                .isEqualTo(asPrompt.get("ids"));
        assertThat(generated("--source", "The hen saw the fox.").get("ids"))
                .isNotEqualTo(asPrompt.get("ids"));
    }

    @Test
    void aPromptBesideASourceIsContinued() throws IOException {
        var begun = generated("--source", TEXT, "--prompt", "A fox");

        assertThat(begun.get("promptIds").size()).isGreaterThan(1);
        assertThat(begun.get("promptIds").get(0).asInt()).isEqualTo(1);
        assertThat(begun.get("sourceIds")).isEqualTo(generated("--source", TEXT).get("sourceIds"));
    }

    @Test
    void whatCannotBeReadIsRefused() {
        assertRefused(
                "SOURCE_UNEXPECTED: there is a source of",
                "generate",
                "--model",
                Shipped.TARGET,
                "--source",
                TEXT);
        assertRefused("SOURCE_MISSING: ", "generate", "--model", target);
        assertRefused(
                "CONTEXT_EXCEEDED: the source has",
                "generate",
                "--model",
                target,
                "--source",
                TEXT.repeat(60));
    }

    @Test
    void anEncoderDecoderDoesNotDraftForADecoderAlone() throws IOException {
        Path config =
                Files.writeString(
                        folder.resolve("wrong.yaml"),
                        """
                        name: wrong
                        target: {use: vector, path: '%s'}
                        prompts: {texts: [Once]}
                        variants:
                          - name: wrong
                            drafter: {use: small-model, path: '%s', vocabulary: text, length: 2}
                        """
                                .formatted(Shipped.TARGET, draft));
        assertRefused(
                "CAPABILITY_MISSING: drafter 'small-model' at",
                "bench",
                config.toString(),
                "--out",
                folder.toString());
    }

    private static void assertRefused(String message, String... arguments) {
        var run = Run.of(arguments);
        assertThat(run.exitCode()).as(run.err()).isIn(ExitCode.FAILURE, ExitCode.USAGE);
        assertThat(run.err()).startsWith(message);
    }

    @Test
    void everyDrafterWritesWhatPlainDecodingWrites() throws IOException {
        Path prompts =
                Files.writeString(
                        folder.resolve("prompts.jsonl"),
                        """
                        {"id": "a", "source": "The fox saw the hen.", "prompt": "The"}
                        {"id": "b", "source": "A red hen and a fox saw it."}
                        {"id": "c", "prompt": "Question: what is 3 + 4?"}
                        """);
        Path config = folder.resolve("sources.yaml");
        Files.writeString(config, EVERY_DRAFTER.formatted(target, draft, ROOT, prompts));
        var run = Run.of("bench", config.toString(), "--out", folder.toString());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);

        Path results = folder.resolve("sources/latest");
        var losslessness = new HashMap<String, String>();
        for (var variant : JSON.readTree(results.resolve("summary.json").toFile())) {
            if (variant.get("drafter").asText().equals("none")) {
                continue;
            }
            losslessness.put(variant.get("variant").asText(), variant.get("losslessness").asText());
            if (variant.get("variant").asText().equals("itself")) {
                assertThat(variant.get("alpha").asDouble()).isEqualTo(1);
            }
        }
        assertThat(losslessness).hasSize(14).containsEntry("beams", "beam-equal");
        assertThat(new HashSet<>(losslessness.values()))
                .containsExactlyInAnyOrder(
                        "greedy-equal", "beam-equal", "lossless-in-distribution");
        assertThat(JSON.readTree(results.resolve("details.json").toFile()).get("mismatches"))
                .isEmpty();
        assertThat(sources(results)).hasSize(3).doesNotContainValue("null");
        assertThat(Files.readString(results.resolve("provenance.json")))
                .contains("sources of the prompts' own");
        assertThat(Files.readString(results.resolve("samples.json"))).contains("fox saw the hen");
        assertThat(Run.of("report", results.toString()).exitCode()).isEqualTo(ExitCode.OK);
    }

    /// Digests of sources by prompt.
    private static Map<String, String> sources(Path results) throws IOException {
        var sources = new HashMap<String, String>();
        for (var line : Files.readAllLines(results.resolve("generations.jsonl"))) {
            var generation = JSON.readTree(line);
            sources.put(generation.get("prompt").asText(), generation.get("source").asText());
        }
        return sources;
    }

    @Test
    void exactnessIsVerified() throws IOException {
        Path config =
                Files.writeString(
                        folder.resolve("exact.yaml"),
                        """
                        name: exact
                        target: {use: vector, path: '%s'}
                        prompts: {texts: ['The fox saw the hen.', 'A hen']}
                        maxTokens: 16
                        batch: 2
                        variants:
                          - name: warm
                            sampling: {temperature: 1, topK: 6}
                            drafter: {use: small-model, path: '%s', length: 2}
                        """
                                .formatted(target, draft));
        var run =
                Run.of(
                        "verify-exactness",
                        "--config",
                        config.toString(),
                        "--samples",
                        "200",
                        "--tokens",
                        "400",
                        "--effect",
                        "0.8");
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("not rejected");
    }

    private static JsonNode generated(String... options) throws IOException {
        return Shipped.generated(
                8,
                Stream.concat(Stream.of("--model", target), Stream.of(options))
                        .toArray(String[]::new));
    }
}
