package dev.outrider.cli;

import static dev.outrider.cli.Shipped.IN_CACHE;
import static dev.outrider.cli.Shipped.TINY_TARGET;
import static dev.outrider.cli.Shipped.config;
import static dev.outrider.cli.Shipped.generated;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `outrider generate` on the shipped models.
class GenerateCommandTest {
    private static final String PROMPT = "Question: what is 3 + 4?";
    private static final int TOKENS = 24;

    @TempDir private Path folder;

    @Test
    void theJsonNamesTheOperators() throws IOException {
        var json =
                generated(
                        2,
                        "--config",
                        IN_CACHE,
                        "--prompt",
                        PROMPT,
                        "--temperature",
                        "1",
                        "--set",
                        "operators.topA=0.1");

        assertThat(json.get("sampling").asText()).isEqualTo("T = 1, topA 0.1");
    }

    @Test
    void theJsonHasLogProbabilitiesOfPromptAndText() throws IOException {
        var json =
                generated(
                        3,
                        "--config",
                        IN_CACHE,
                        "--prompt",
                        PROMPT,
                        "--temperature",
                        "0.5",
                        "--logprobs",
                        "2");

        assertThat(json.get("promptLogprobs")).hasSameSizeAs(json.get("promptIds"));
        assertThat(json.at("/promptLogprobs/0").isNull()).isTrue();
        assertThat(json.at("/promptLogprobs/1/id")).isEqualTo(json.at("/promptIds/1"));
        assertThat(json.at("/promptLogprobs/1").has("processedLogprob")).isFalse();
        assertThat(json.get("logprobs")).hasSize(3);
        var text = new StringBuilder();
        json.get("logprobs").forEach(each -> text.append(each.get("text").asText()));
        assertThat(text).hasToString(json.get("text").asText());
        assertThat(json.at("/logprobs/0/top")).hasSize(2);
        assertThat(json.at("/logprobs/0/top/0/logprob").asDouble())
                .isGreaterThan(json.at("/logprobs/0/top/1/logprob").asDouble());
        assertThat(json.at("/logprobs/0/processedTop/0/logprob").asDouble())
                .describedAs("a temperature below 1 favours the best")
                .isGreaterThan(json.at("/logprobs/0/top/0/logprob").asDouble());
    }

    @Test
    void refusesLogProbabilitiesWithoutJson() {
        var run = Run.of("generate", "--model", TINY_TARGET, "--prompt", "The", "--logprobs", "2");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--logprobs").contains("--json");
    }

    @Test
    void speculationWritesWhatPlainDecodingWrites() throws IOException {
        var plain = generated(TOKENS, "--prompt", PROMPT, "--model", TINY_TARGET);
        var drafted = generated(TOKENS, "--prompt", PROMPT, "--config", IN_CACHE);

        assertThat(drafted.get("ids")).isEqualTo(plain.get("ids"));
        assertThat(drafted.get("promptIds")).isEqualTo(plain.get("promptIds"));
        assertThat(drafted.get("text")).isEqualTo(plain.get("text"));
        assertThat(plain.get("metrics").get("rounds").asInt()).isEqualTo(TOKENS);
        assertThat(drafted.get("metrics").get("rounds").asInt()).isLessThan(TOKENS);
        assertThat(drafted.get("drafter").asText()).isEqualTo("small-model");
    }

    @Test
    void theTraceIsTheTextWithMarks() {
        var text =
                Run.of("generate", "--model", TINY_TARGET, "--prompt", "The", "--max-tokens", "12");
        var trace =
                Run.of(
                        "generate",
                        "--config",
                        IN_CACHE,
                        "--prompt",
                        "The",
                        "--max-tokens",
                        "12",
                        "--trace");

        assertThat(trace.err())
                .startsWith("[text] an accepted guess, <text> a corrected one, {text} the token");
        assertThat(trace.out()).contains("[").isNotEqualTo(text.out());
        assertThat(trace.out().replaceAll("[\\[\\]<>{}]", ""))
                .isEqualTo(text.out().replaceAll("[\\[\\]<>{}]", ""));
    }

    @Test
    void takesThePromptFromTheStandardInput() {
        var piped =
                Run.with(
                        "The\n",
                        new Interruption(),
                        "generate",
                        "--model",
                        TINY_TARGET,
                        "--max-tokens",
                        "8");
        var given =
                Run.of("generate", "--model", TINY_TARGET, "--prompt", "The", "--max-tokens", "8");

        assertThat(piped.out()).isEqualTo(given.out());
    }

    @Test
    void saysWhichVariantsThereAre() {
        var run = Run.of("generate", "--config", IN_CACHE, "--variant", "chian", "--prompt", "x");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith(
                        "USAGE: --variant is chian, expected one of plain, chain of 3, chain of 5, tree 2-2-1\n");
    }

    @Test
    void saysThatAModelHasToBeChosen() {
        var run = Run.of("generate", "--prompt", "x");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo(
                        """
                        USAGE: there is no model; give --config=FILE or --model=DIR
                          Run 'outrider generate --help' for what it takes, with examples.
                        """);
    }

    @Test
    void saysInWordsWhyAPromptCannotBeRead() throws IOException {
        var missing = folder.resolve("prompt.txt");
        var bytes = Files.write(folder.resolve("bytes.txt"), new byte[] {'a', (byte) 0xff});

        assertThat(
                        Run.of(
                                        "generate",
                                        "--model",
                                        TINY_TARGET,
                                        "--prompt-file",
                                        missing.toString())
                                .err())
                .isEqualTo(
                        """
                        IO_FAILED: '%s' cannot be read: there is no such file
                          Check that the file is there and may be read.
                        """
                                .formatted(missing));
        assertThat(
                        Run.of(
                                        "generate",
                                        "--model",
                                        TINY_TARGET,
                                        "--prompt-file",
                                        bytes.toString())
                                .err())
                .isEqualTo(
                        """
                        IO_FAILED: '%s' cannot be read: it is not UTF-8 text
                          Check that the file is there and may be read.
                        """
                                .formatted(bytes));
    }

    @Test
    void saysThatAModelIsNotThere() {
        var missing = folder.resolve("nothing");

        var run = Run.of("generate", "--model", missing.toString(), "--prompt", "x");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("CHECKPOINT_NOT_FOUND: ").contains(missing.toString());
    }

    @Test
    void anInterruptedGenerationSaysThatThereIsNothing() {
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("The", interruption, "generate", "--model", TINY_TARGET);

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.err()).isEqualTo("no tokens, ended by cancelled\n");
    }

    @Test
    void theTargetOnTheDeviceSaysWhatIsMissing() throws IOException {
        var config = folder.resolve("device.yaml");
        Files.writeString(
                config,
                """
                name: on-the-device
                target: {use: tornado, path: '%s'}
                """
                        .formatted(TINY_TARGET));

        var run = Run.of("generate", "--config", config.toString(), "--prompt", "Once");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .containsPattern("^(DEVICE_SDK_MISSING|BACKEND_UNAVAILABLE): .*TornadoVM")
                .contains("\n  ", "docs/guide/gpu.md");
    }
}
