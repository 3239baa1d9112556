package dev.outrider.cli;

import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/// A progress bar for people; nothing where nobody watches, so that logs stay readable.
final class Progress implements AutoCloseable {
    private static final int WIDTH = 100;
    private static final int REFRESH_MILLIS = 250;

    private final Optional<ProgressBar> bar;

    Progress(Console console, String task, long steps) {
        bar =
                console.terminal()
                        ? Optional.of(
                                new ProgressBarBuilder()
                                        .setTaskName(task)
                                        .setInitialMax(steps)
                                        .setStyle(ProgressBarStyle.ASCII)
                                        .setUpdateIntervalMillis(REFRESH_MILLIS)
                                        .setMaxRenderedLength(WIDTH)
                                        .setConsumer(
                                                new ConsoleProgressBarConsumer(
                                                        console.err(), WIDTH))
                                        .clearDisplayOnFinish()
                                        .build())
                        : Optional.empty();
    }

    /// One more step.
    void step(String message) {
        bar.ifPresent(each -> {
            each.step();
            each.setExtraMessage(message);
        });
    }

    /// So many steps in all.
    void at(long steps, String message) {
        bar.ifPresent(each -> {
            each.stepTo(steps);
            each.setExtraMessage(message);
        });
    }

    @Override
    public void close() {
        bar.ifPresent(ProgressBar::close);
    }
}
