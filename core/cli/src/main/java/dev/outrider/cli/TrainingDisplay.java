package dev.outrider.cli;

import dev.outrider.training.Trainer;
import dev.outrider.training.TrainingProgress;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Shows a training run while it goes on and says how it ended.
final class TrainingDisplay {
    private static final int REPORT_EVERY = 100;

    private final Console console;
    private final Interruption interruption;

    @Inject
    TrainingDisplay(Console console, Interruption interruption) {
        this.console = console;
        this.interruption = interruption;
    }

    /// Any run of the training loop.
    @FunctionalInterface
    interface Training {
        /// Trains; see [Trainer#train].
        Optional<Trainer.Result> train(TrainingProgress progress, BooleanSupplier stop)
                throws IOException;
    }

    /// Trains and returns the exit code.
    int run(Path folder, int steps, Training training) {
        try (var bar = new Progress(console, "training", steps)) {
            var result = training.train(step -> report(bar, step), interruption::requested);
            bar.close();
            if (result.isEmpty()) {
                console.err().println("Interrupted; go on from here with --resume.");
                return ExitCode.INTERRUPTED;
            }
            console.out().println(conclusion(folder, result.get()));
            return ExitCode.OK;
        } catch (IOException e) {
            throw Failures.cannotWrite(folder, e);
        }
    }

    private static String conclusion(Path folder, Trainer.Result result) {
        var text =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "%s: %d steps, %d tokens, loss %.3f, validation loss %.3f, %.0f s",
                                folder,
                                result.steps(),
                                result.tokens(),
                                result.loss(),
                                result.validationLoss(),
                                result.wallSeconds()));
        result.measures()
                .forEach((name, value) ->
                        text.append(String.format(Locale.ROOT, ", %s %.3f", name, value)));
        return text.toString();
    }

    private void report(Progress bar, TrainingProgress.Step step) {
        var text =
                String.format(
                        Locale.ROOT,
                        "step %d loss %.3f, %.0f tokens/s",
                        step.step(),
                        step.loss(),
                        step.tokensPerSecond());
        bar.at(step.step(), text);
        if (!console.terminal() && step.step() % REPORT_EVERY == 0) {
            console.err().println(text);
        }
    }
}
