package dev.outrider.cli;

import jakarta.inject.Inject;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

/// Prints what a measurement finds, unless the user interrupts it.
final class Measurement {
    private final Console console;
    private final Interruption interruption;

    @Inject
    Measurement(Console console, Interruption interruption) {
        this.console = console;
        this.interruption = interruption;
    }

    /// Measures, prints and returns the exit code.
    ///
    /// @param task    what the progress bar is called
    /// @param steps   its length
    /// @param measure makes the text, and tells of every turn
    int print(String task, long steps, Function<Turns, String> measure) {
        String text;
        try (var progress = new Progress(console, task, steps)) {
            text = measure.apply(new Turns(progress));
        } catch (CancellationException e) {
            console.err().println("Interrupted; times need every turn, so there are none to show.");
            return ExitCode.INTERRUPTED;
        }
        console.out().print(text);
        return ExitCode.OK;
    }

    /// What is told between turns. No native operation runs then, so the measurement may end there.
    final class Turns {
        private final Progress progress;

        private Turns(Progress progress) {
            this.progress = progress;
        }

        /// Begins one more turn.
        ///
        /// @throws CancellationException if the user has interrupted
        void next(String what) {
            stopIfAsked();
            progress.step(what);
        }

        /// Begins a turn after so many in all.
        ///
        /// @throws CancellationException if the user has interrupted
        void at(long done, String what) {
            stopIfAsked();
            progress.at(done, what);
        }

        private void stopIfAsked() {
            if (interruption.requested()) {
                throw new CancellationException();
            }
        }
    }
}
