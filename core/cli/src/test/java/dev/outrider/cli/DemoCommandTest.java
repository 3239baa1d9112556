package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static dev.outrider.cli.Shipped.TINY_TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `outrider demo` on the tiny models, without a terminal.
class DemoCommandTest {
    @ParameterizedTest
    @CsvSource({"tiny-draft, small-model tiny-draft", "tiny-eagle3, eagle3 tiny-eagle3"})
    void theTranscriptSaysThatBothTextsAreTheSameAndHowFast(String drafter, String title) {
        var run = demo("--drafter", model(drafter));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("tiny-target (0.1 million parameters), in turns on 1 thread.\n")
                .contains("Prompt: The\n")
                .containsPattern("\nplain decoding +\\| " + title + "\n")
                .containsPattern("\n40 tokens in [0-9.]+ s +\\| 40 tokens in [0-9.]+ s\n")
                .containsPattern("\n40 rounds +\\| [0-9]+ rounds, acceptance rate 0\\.[0-9]+\n")
                .containsPattern(
                        "\nSame text \\(all 40 ids are equal\\), .*[0-9]+\\.[0-9]+ times as fast\\.\n$")
                .contains("[")
                .doesNotContain("\u001b");
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    }

    @Test
    void thePlainPanelIsTheTextOfPlainDecoding() {
        var text =
                Run.of("generate", "--model", TINY_TARGET, "--prompt", "The", "--max-tokens", "40");

        var panel =
                demo().out()
                        .lines()
                        .skip(5)
                        .takeWhile(line -> !line.startsWith("---"))
                        .map(line -> line.substring(0, line.indexOf('|')))
                        .collect(Collectors.joining());

        assertThat(panel.replaceAll("\\s", ""))
                .isNotEmpty()
                .isEqualTo(text.out().replaceAll("\\s", ""));
    }

    @Test
    void sampledTextsHaveTheSameDistribution() {
        assertThat(demo("--temperature", "1", "--seed", "7").out())
                .containsPattern(
                        "\nSame distribution \\(two texts drawn from it\\), .* times as fast\\.\n$");
    }

    @Test
    void aTargetWithoutItsOwnDrafterHasPromptLookup() {
        var run = Run.of("demo", "--target", TINY_TARGET, "--max-tokens", "8");

        assertThat(run.out()).containsPattern("plain decoding +\\| prompt lookup\n");
        assertThat(demo("--drafter", model("demo-eagle3")).err())
                .contains("USAGE: ", "drafts for", "in no way:");
    }

    @Test
    void withoutMemoryForLargeCostsTheModelsRunAtTheirOwn() {
        var err = new ByteArrayOutputStream();
        var demo = new DemoCommand();
        demo.use(
                Run.context(
                        new Console(
                                InputStream.nullInputStream(),
                                new PrintStream(OutputStream.nullOutputStream()),
                                new PrintStream(err, true, StandardCharsets.UTF_8),
                                false,
                                false)));

        int code =
                demo.withinMemory(shaped -> {
                    if (shaped) {
                        throw new OutriderException(
                                ErrorCode.OUT_OF_MEMORY, "There is too little.", "Buy some.");
                    }
                    return ExitCode.OK;
                });

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "There is too little. The demo models run at their own costs instead.%n"
                                .formatted());
    }

    @Test
    void aFailureOfASideIsTheCommands() {
        var run = demo("--max-tokens", "100000");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("\nCONTEXT_EXCEEDED: ");
    }

    @Test
    void anInterruptedRaceSaysSo() {
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("", interruption, "demo", "--target", TINY_TARGET);

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.out()).endsWith("\nStopped before the end.\n");
    }

    private static Run demo(String... options) {
        var command =
                new ArrayList<>(
                        List.of(
                                "demo",
                                "--target",
                                TINY_TARGET,
                                "--prompt",
                                "The",
                                "--threads",
                                "1"));
        if (!List.of(options).contains("--max-tokens")) {
            command.addAll(List.of("--max-tokens", "40"));
        }
        command.addAll(List.of(options));
        return Run.of(command.toArray(String[]::new));
    }

    private static String model(String name) {
        return ROOT.resolve("models").resolve(name).toString();
    }
}
