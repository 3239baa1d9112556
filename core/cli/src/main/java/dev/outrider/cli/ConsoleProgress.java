package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import dev.outrider.experiment.run.Progress;
import dev.outrider.hub.PullListener;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/// A progress bar on a terminal for each phase of some work; nothing without a terminal, so that logs stay readable.
final class ConsoleProgress implements Progress {
    private static final int WIDTH = 100;
    private static final int REFRESH_MILLIS = 250;

    private final Console console;
    private final String task;
    private Optional<ProgressBar> bar = Optional.empty();
    private boolean begun;

    ConsoleProgress(Console console, String task) {
        this.console = console;
        this.task = task;
    }

    /// Begins a phase with a number of steps.
    void begin(String named, long steps) {
        close();
        if (console.terminal()) {
            bar =
                    Optional.of(
                            new ProgressBarBuilder()
                                    .setTaskName(PrintableText.of(named))
                                    .setInitialMax(steps)
                                    .setStyle(ProgressBarStyle.ASCII)
                                    .setUpdateIntervalMillis(REFRESH_MILLIS)
                                    .setMaxRenderedLength(WIDTH)
                                    .setConsumer(
                                            new ConsoleProgressBarConsumer(coded(console), WIDTH))
                                    .clearDisplayOnFinish()
                                    .build());
        }
    }

    /// Returns a stream that keeps escape codes: [Console] replaces them in text.
    private static PrintStream coded(Console console) {
        return new PrintStream(console.err(), true, StandardCharsets.UTF_8);
    }

    /// Shows the number of finished steps of a phase; 0 begins the phase.
    @Override
    public void at(String what, int done, int of) {
        if (done == 0 && !begun) {
            begin(task, of);
        }
        begun = done == 0;
        at(done, what);
    }

    /// Shows the number of finished steps of the current phase.
    void at(long done, String what) {
        bar.ifPresent(each -> {
            each.stepTo(done);
            each.setExtraMessage(PrintableText.of(what));
        });
    }

    @Override
    public void close() {
        bar.ifPresent(ProgressBar::close);
        bar = Optional.empty();
    }

    /// Shows the megabytes of a model that were fetched.
    static final class Pulling implements PullListener, AutoCloseable {
        private static final int MEGABYTE = 1_000_000;

        private final Console console;
        private final ConsoleProgress bar;
        private long total = -1;

        Pulling(Console console) {
            this.console = console;
            bar = new ConsoleProgress(console, "fetching (MB)");
        }

        @Override
        public void at(String file, long done, long of) {
            if (of != total) {
                total = of;
                bar.begin("fetching (MB)", of / MEGABYTE);
            }
            bar.at(done / MEGABYTE, file);
        }

        @Override
        public void waiting(String file) {
            console.err().printf("Another process is fetching %s; waiting for it.%n", file);
        }

        @Override
        public void close() {
            bar.close();
        }
    }
}
