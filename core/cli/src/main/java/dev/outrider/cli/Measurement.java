package dev.outrider.cli;

import dev.outrider.drafting.bench.BenchWatch;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Prints what a measurement finds, unless the user interrupts it.
record Measurement(CommandContext context) {
    /// Measures, prints and returns the exit code.
    ///
    /// @param task    what the progress bar is called
    /// @param measure makes the text, and tells of every turn
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

    /// The clock and the progress bar that a bench of a drafter uses.
    final class Watch implements BenchWatch, AutoCloseable {
        private final String task;
        private Optional<Progress> bar = Optional.empty();

        private Watch(String task) {
            this.task = task;
        }

        @Override
        public Runnable turns(int count) {
            var turns = begin(count);
            return () -> turns.next("measuring");
        }

        /// Begins a bar of its own for so many turns.
        Turns begin(long count) {
            close();
            var shown = new Progress(context.console(), task, count);
            bar = Optional.of(shown);
            return new Turns(shown);
        }

        @Override
        public LongSupplier clock() {
            return System::nanoTime;
        }

        @Override
        public void close() {
            bar.ifPresent(Progress::close);
            bar = Optional.empty();
        }
    }

    /// Called between turns. No native operation runs then, so the measurement can stop there.
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
            if (context.interruption().requested()) {
                throw new CancellationException();
            }
        }
    }
}
