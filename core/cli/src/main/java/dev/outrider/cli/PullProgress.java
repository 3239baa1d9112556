package dev.outrider.cli;

import dev.outrider.hub.PullListener;
import java.util.Optional;

/// Shows how much of a model has come.
final class PullProgress implements PullListener, AutoCloseable {
    private static final int MEGABYTE = 1_000_000;

    private final Console console;
    private Optional<Progress> bar = Optional.empty();
    private long total;

    PullProgress(Console console) {
        this.console = console;
    }

    @Override
    public void at(String file, long done, long of) {
        if (bar.isEmpty() || of != total) {
            close();
            total = of;
            bar = Optional.of(new Progress(console, "fetching (MB)", of / MEGABYTE));
        }
        bar.get().at(done / MEGABYTE, file);
    }

    @Override
    public void waiting(String file) {
        console.err().printf("Another process is fetching %s; waiting for it.%n", file);
    }

    @Override
    public void close() {
        bar.ifPresent(Progress::close);
        bar = Optional.empty();
    }
}
