package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static dev.outrider.cli.Shipped.trained;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.tokenizer.HfTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the commands that make encoder-decoders: `outrider corpus --pairs`, `tokenizer train --pairs`, `train encoder-decoder`.
class EncoderDecoderCommandsTest {
    @TempDir private Path folder;

    @Test
    void theShippedPairsAreThoseOfTheirSeed() throws IOException {
        var run =
                Run.of(
                        "corpus",
                        "--out",
                        folder.toString(),
                        "--documents",
                        "0",
                        "--prompts",
                        "0",
                        "--pairs",
                        "24",
                        "--seed",
                        "2026");

        assertThat(run.out()).isEqualTo(folder.resolve("held-out-pairs.jsonl") + ": 72 pairs\n");
        assertThat(folder.resolve("held-out-pairs.jsonl"))
                .hasSameBinaryContentAs(ROOT.resolve("configs/prompts/held-out-pairs.jsonl"));
        assertThat(folder.resolve("held-out.jsonl")).doesNotExist();
    }

    @Test
    void aTokenizerOfPairsEndsEveryText() {
        var file = folder.resolve("tokenizer.json");

        var run =
                Run.of(
                        "tokenizer",
                        "train",
                        "--vocabulary",
                        "300",
                        "--pairs",
                        "--documents",
                        "200",
                        "--special",
                        "<pad>",
                        "--special",
                        "</s>",
                        "--end",
                        "</s>",
                        "--out",
                        file.toString());

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        try (var tokenizer = HfTokenizer.load(file)) {
            assertThat(tokenizer.encode("krumb", false)).doesNotContain(1);
            assertThat(tokenizer.encode("krumb", true)).endsWith(1);
        }
    }

    @Test
    void anEndThatIsNoSpecialTokenIsRefused() {
        var run =
                Run.of(
                        "tokenizer",
                        "train",
                        "--vocabulary",
                        "300",
                        "--end",
                        "</s>",
                        "--out",
                        "unused.json");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains(
                        "--end '</s>' is none of the special tokens [<|endoftext|>]; give it as --special too");
    }

    @ParameterizedTest
    @ValueSource(strings = {"t5-target", "t5-small", "t5-tiny"})
    void aConfigurationTrainsWhatWasShipped(String name) throws IOException {
        var out = folder.resolve("model");

        var run = trained("encoder-decoder", "training/" + name + ".yaml", "out=" + out);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith(out + ": 2 steps, ");
        var shipped = ROOT.resolve("models/demo-" + name);
        assertThat(ModelConfig.read(new Checkpoint(out)))
                .isEqualTo(ModelConfig.read(new Checkpoint(shipped)));
        assertThat(out.resolve("tokenizer.json"))
                .hasSameBinaryContentAs(shipped.resolve("tokenizer.json"));
        var facts = new ObjectMapper().readTree(Files.readString(out.resolve("training.json")));
        assertThat(facts.get("shape"))
                .isEqualTo(
                        new ObjectMapper()
                                .readTree(Files.readString(shipped.resolve("training.json")))
                                .get("shape"));
    }
}
