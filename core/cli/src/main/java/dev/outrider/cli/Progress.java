package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
                                        .setTaskName(PrintableText.of(task))
                                        .setInitialMax(steps)
                                        .setStyle(ProgressBarStyle.ASCII)
                                        .setUpdateIntervalMillis(REFRESH_MILLIS)
                                        .setMaxRenderedLength(WIDTH)
                                        .setConsumer(
                                                new ConsoleProgressBarConsumer(
                                                        coded(console), WIDTH))
                                        .clearDisplayOnFinish()
                                        .build())
                        : Optional.empty();
    }

    /// A bar goes back to the beginning of its line, which only bytes keep.
    private static PrintStream coded(Console console) {
        return new PrintStream(console.err(), true, StandardCharsets.UTF_8);
    }

    /// One more step.
    void step(String message) {
        bar.ifPresent(each -> {
            each.step();
            each.setExtraMessage(PrintableText.of(message));
        });
    }

    /// So many steps in all.
    void at(long steps, String message) {
        bar.ifPresent(each -> {
            each.stepTo(steps);
            each.setExtraMessage(PrintableText.of(message));
        });
    }

    @Override
    public void close() {
        bar.ifPresent(ProgressBar::close);
    }
}
