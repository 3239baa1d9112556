package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checkpoints of a training run, compared by the tokens per round that they promise.
class TokensPerRoundTest {
    @TempDir private Path folder;

    @Test
    void aRunKeepsItsBestCheckpointByTokensPerRound() throws IOException {
        var run =
                trained(
                        experiment(
                                "variants: [{name: heads, drafter: {use: medusa, path: none, length: 2}}]"));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).containsPattern("tokensPerRound \\d\\.\\d{3}");
        assertThat(Files.readString(folder.resolve("heads/loss-curve.jsonl")))
                .contains("\"tokensPerRound\":");
    }

    @Test
    void anExperimentThatCannotServeIsRefusedBeforeTheFirstStep() throws IOException {
        var run = trained(experiment("variants: []"));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("there is no item 0");
        assertThat(folder.resolve("heads")).doesNotExist();
    }

    private Run trained(Path experiment) {
        return Shipped.trained(
                "medusa",
                "training/medusa.yaml",
                "out=" + folder.resolve("heads"),
                "heads.count=2",
                "heads.projection=target",
                "training.validateEvery=1",
                "training.best.measure=" + experiment);
    }

    private Path experiment(String variants) throws IOException {
        var file = folder.resolve("worth.yaml");
        Files.writeString(
                file,
                """
                name: worth
                target: {use: vector, path: %s}
                prompts: {texts: [Once upon a time]}
                maxTokens: 12
                sampling: {temperature: 0}
                %s
                """
                        .formatted(Shipped.TARGET, variants));
        return file;
    }
}
