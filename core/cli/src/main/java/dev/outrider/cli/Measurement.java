package dev.outrider.cli;

import java.util.concurrent.CancellationException;
import java.util.function.Function;

/// Prints the result of a measurement, unless the user interrupts it.
record Measurement(CommandContext context) {
    /// Measures, prints and returns the exit code.
    ///
    /// @param task    name of the progress bar
    /// @param measure returns the text, and reports every turn
    int print(String task, Function<Watch, String> measure) {
        String text;
        try (var watch = new Watch(task)) {
            text = measure.apply(watch);
        } catch (CancellationException e) {
            context.err().println("Interrupted; times need every turn, so there are none to show.");
            return ExitCode.INTERRUPTED;
        }
        context.out().print(text);
        return ExitCode.OK;
    }

    /// The clock and the progress bar of a measurement. Between turns no native operation runs, so the measurement can stop
    /// there: every turn throws [CancellationException] if the user has interrupted.
    final class Watch implements AutoCloseable {
        private final String task;
        private final ConsoleProgress bar;

        private Watch(String task) {
            this.task = task;
            bar = new ConsoleProgress(context.console(), task);
        }

        /// Begins a bar with a number of turns.
        void begin(long count) {
            bar.begin(task, count);
        }

        /// Begins a turn; `done` turns are finished.
        void at(long done, String what) {
            if (context.interruption().requested()) {
                throw new CancellationException();
            }
            bar.at(done, what);
        }

        @Override
        public void close() {
            bar.close();
        }
    }
}
