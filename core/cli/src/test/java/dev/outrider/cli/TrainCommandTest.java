package dev.outrider.cli;

import static dev.outrider.cli.Shipped.trained;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests `outrider train lm`.
class TrainCommandTest {
    @TempDir private Path folder;

    @Test
    void trainsAModelThatGeneratesAndRefusesToOverwriteIt() {
        var out = folder.resolve("model");

        var run = trained("lm", "training/draft.yaml", "out=" + out);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith(out + ": 2 steps, 32 tokens, loss ");
        assertThat(
                        Run.of(
                                        "generate",
                                        "--model",
                                        out.toString(),
                                        "--prompt",
                                        "The",
                                        "--max-tokens",
                                        "2")
                                .exitCode())
                .isEqualTo(ExitCode.OK);
        assertThat(trained("lm", "training/draft.yaml", "out=" + out).err())
                .isEqualTo(
                        """
                        CONFIG_INVALID: '%s' already holds a finished model
                          Choose another folder with --set out=DIR, or remove the model.
                        """
                                .formatted(out));
    }

    @Test
    void aProfileSaysWhatTheStepsWaitedForAndAReportDrawsTheCurves() {
        var out = folder.resolve("model");

        var run =
                trained(
                        "lm --profile",
                        "training/draft.yaml",
                        "out=" + out,
                        "training.best.patience=3",
                        "training.distillation.divergence=jensen-shannon");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.err())
                .containsPattern(
                        "step 2 of 2: loss [0-9.]+, validation [0-9.]+, [0-9]+ tokens/s, overlap [0-9.]+, 0:00:00 left\n")
                .containsPattern("\\nbackward +[0-9.]+ % +[0-9.]+ s  its gradients\\n");
        assertThat(out.resolve("training.json")).content().contains("\"bestStep\"");

        var report = Run.of("report", out.toString(), "--out", folder.resolve("r").toString());
        assertThat(report.exitCode()).as(report.err()).isEqualTo(ExitCode.OK);
        assertThat(report.out()).isEqualTo(folder.resolve("r/report.html") + "\n");
        assertThat(folder.resolve("r/report/loss.svg")).exists();
    }
}
